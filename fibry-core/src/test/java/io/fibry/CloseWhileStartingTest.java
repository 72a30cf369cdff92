package io.fibry;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closes of a system that precede the start of an actor. */
@Timeout(60)
class CloseWhileStartingTest {

    /** The test fails before this time is over. */
    private static final Duration AMPLE = Duration.ofDays(1);

    /**
     * The second close has waited for the end of everything. An actor that is registered late, and ends at once, does
     * not change that.
     */
    @RepeatedTest(100)
    void aSecondCloseReturnsTrue() throws InterruptedException {
        var system = ActorSystem.create();
        var started = new CountDownLatch(2);
        List<Thread> starters = List.of(starter(system, started), starter(system, started));
        started.await();
        system.close(Duration.ZERO);
        for (int i = 0; i < 50; i++) {
            assertTrue(system.close(AMPLE));
        }
        for (Thread starter : starters) {
            starter.join();
        }
    }

    /**
     * The close may have looked for actors for the last time when the actor is registered. The actor gets no message.
     */
    @Test
    void aStartedActorEnds() throws InterruptedException {
        for (int round = 0; round < 20_000; round++) {
            var system = ActorSystem.create();
            var started = new AtomicReference<@Nullable Actor<?>>();
            int delay = round % 500;
            Thread starter = Thread.startVirtualThread(() -> {
                for (int i = 0; i < delay; i++) {
                    Thread.onSpinWait();
                }
                try {
                    started.set(system.actor("late").newActor(message -> {}));
                } catch (IllegalStateException e) {
                    assertTrue(system.isClosing(), e::toString);
                }
            });
            system.close(AMPLE);
            starter.join();
            Actor<?> actor = started.get();
            if (actor != null) {
                Await.end(actor);
            }
        }
    }

    /** Starts actors until the system is closed. */
    private static Thread starter(ActorSystem system, CountDownLatch started) {
        return Thread.startVirtualThread(() -> {
            while (!system.isClosing()) {
                try {
                    system.actor().strategy(ThreadStrategy.platform()).newActor(message -> {});
                    started.countDown();
                } catch (IllegalStateException e) {
                    assertTrue(system.isClosing(), e::toString);
                }
            }
        });
    }
}
