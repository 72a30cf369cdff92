package io.fibry.durable.crash;

import io.fibry.durable.SimulatedDatabase;
import io.fibry.test.Schedules;
import io.fibry.test.TestSystem;
import org.junit.jupiter.api.Test;

/**
 * Processes of durable entities crash between any two statements, before a commit, and after a commit without knowing
 * it. No effect is lost or repeated, and the order is kept. {@code -Drounds=full} runs 10,000 seeds.
 */
class CrashTest {

    private static final int SEEDS = "full".equals(System.getProperty("rounds")) ? 10_000 : 200;

    @Test
    void effectsTakePlaceOnceAndInOrder() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            check(seed);
        }
    }

    static void check(long seed) {
        Schedules.random(1).only(seed).check(test -> run(test, seed));
    }

    private static void run(TestSystem test, long seed) throws Exception {
        try (var database = SimulatedDatabase.create()) {
            var run = new CrashRun(test, database, seed);
            new Checks(run, run.run()).check();
        }
    }
}
