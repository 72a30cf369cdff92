package io.fibry.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads that append actors to a small ring and take them, under the interleavings of small scenarios: each appended
 * actor is taken once.
 *
 * <p>Seen to fail: two threads that append at the same time; a taker that does not compare the head; one that clears
 * the place before it has taken the actor.
 */
@Tag("model-check")
public final class ActorRingTest {

    private static final int CAPACITY = 2;

    private final ActorRing ring = new ActorRing(CAPACITY);
    private final AtomicInteger appended = new AtomicInteger();
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger takenTwice = new AtomicInteger();

    @Operation
    public void append() {
        if (ring.append(new Ready())) {
            appended.incrementAndGet();
        }
    }

    @Operation
    public void take() {
        var actor = (Ready) ring.poll();
        if (actor != null) {
            taken.incrementAndGet();
            if (actor.takes.incrementAndGet() > 1) {
                takenTwice.incrementAndGet();
            }
        }
    }

    @Validate
    public void eachActorIsTakenOnce() {
        while (ring.hasQueued()) {
            take();
        }
        assertEquals(appended.get(), taken.get());
        assertEquals(0, takenTwice.get());
    }

    @Test
    void eachActorIsTakenOnceUnderAnyInterleaving() {
        new ModelCheckingOptions()
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(0)
                .iterations(10)
                .invocationsPerIteration(Rounds.of(500, 2_000))
                .verifier(EpsilonVerifier.class)
                .check(ActorRingTest.class);
    }

    @Test
    void actorsAreTakenInFifoOrder() {
        for (int round = 0; round < 3 * CAPACITY; round++) {
            List<Ready> actors = List.of(new Ready(), new Ready());
            actors.forEach(actor -> assertTrue(ring.append(actor)));
            assertFalse(ring.append(new Ready()));
            List<ScheduledActor> seen = new ArrayList<>();
            ring.forEach(seen::add);
            assertEquals(actors, seen);
            actors.forEach(actor -> assertSame(actor, ring.poll()));
            assertNull(ring.poll());
            assertTrue(ring.append(new Ready()));
            assertTrue(ring.hasQueued());
            ring.poll();
        }
    }

    /** An actor that only counts how often it is taken. */
    static class Ready extends ScheduledActor {
        private final AtomicInteger takes = new AtomicInteger();

        @Override
        public boolean runTurn(ActorThread r, @Nullable Future<?> awaited) {
            return false;
        }

        @Override
        public long handled() {
            return 0;
        }

        @Override
        public String name() {
            return "ready";
        }

        @Override
        public boolean hasEnded() {
            return false;
        }

        @Override
        public ActorLock interruptLock() {
            return new ActorLock();
        }

        @Override
        public Dispatcher dispatcher() {
            throw new AssertionError("these tests run no actor");
        }

        @Override
        public @Nullable ActorThread ownRunner() {
            return null;
        }
    }
}
