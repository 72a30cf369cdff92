package io.fibry.bench.savina;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/** Runs every workload of the suite with every peer and a small load. Each checks its result. Nothing is measured. */
@Timeout(60)
class SavinaTest {

    private static final List<Savina> ALL = Savina.ALL;

    @ParameterizedTest
    @EnumSource
    void allResultsAreRight(Worlds peer) throws InterruptedException {
        try (World world = peer.open()) {
            for (Savina savina : ALL) {
                Workload workload = savina.small();
                for (int i = 0; i < 2; i++) {
                    assertTrue(SavinaRun.once(world, workload, workload.expected()) > 0, savina.name());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWrongResultIsNoticed(Worlds peer) {
        try (World world = peer.open()) {
            Workload workload = Savina.of("count").small();
            var wrong = assertThrows(IllegalStateException.class, () -> SavinaRun.once(world, workload, 999));
            assertEquals("Counting has ended with 1000 instead of 999", wrong.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource
    void anActorThatFailsEndsTheRun(Worlds peer) {
        var failure = new IllegalArgumentException("on purpose");
        try (World world = peer.open()) {
            var error = assertThrows(
                    IllegalStateException.class,
                    () -> world.run(new SavinaActor() {
                        @Override
                        protected void receive(Object message) {
                            throw failure;
                        }
                    }));
            assertEquals(failure, error.getCause());
        }
    }

    /**
     * A thread that waits for messages is never garbage: a workload that does not stop an actor would fill the heap.
     */
    @ParameterizedTest
    @FieldSource("ALL")
    void allActorsAreStopped(Savina savina) throws InterruptedException {
        var threads = new ConcurrentLinkedQueue<Thread>();
        var world = new VirtualThreadWorld() {
            @Override
            void start(Runnable loop) {
                threads.add(Thread.startVirtualThread(loop));
            }
        };
        Workload workload = savina.small();
        SavinaRun.once(world, workload, workload.expected());
        for (Thread thread : threads) {
            assertTrue(
                    thread.join(java.time.Duration.ofSeconds(10)), () -> "an actor of " + savina.name() + " is left");
        }
    }

    @Test
    void namesAreUnique() {
        assertEquals(ALL.size(), ALL.stream().map(Savina::name).distinct().count());
    }
}
