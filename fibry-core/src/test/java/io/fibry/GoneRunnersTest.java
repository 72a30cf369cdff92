package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.KernelTest;

/** Counts of a terminating thread are neither duplicated nor lost. */
class GoneRunnersTest extends KernelTest {

    private static final int ROUNDS = 3_000;

    /** The counters are read while the worker that has handled the message runs out of work and terminates. */
    @AllStrategies
    void countsAreExactWhenAnActorHasEnded(ThreadStrategy strategy) {
        for (int round = 1; round <= ROUNDS; round++) {
            Actor<Integer> actor = actor(strategy).newActor(number -> {});
            actor.tell(round);
            actor.close();
            assertEquals(round, system.stats().handled());
        }
    }
}
