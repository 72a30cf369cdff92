package io.fibry.bench;

import io.fibry.Actor;
import io.fibry.test.Schedules;
import io.fibry.test.Strategy;
import io.fibry.test.TestSystem;
import java.util.ArrayList;
import java.util.List;

/**
 * How many schedules of a small program a test runs in a second: five actors in a ring handle 50 messages. Each of ten
 * messages is passed on four times. Prints a line for each round; the first ones are slower, until the code has been
 * compiled.
 */
public final class SchedulesPerSecond {

    private static final int ACTORS = 5;
    private static final int HOPS = 4;
    private static final int FIRST = 10;
    private static final int ROUNDS = 8;
    private static final int RUNS = 20_000;
    private static final double NANOS = 1e9;

    private SchedulesPerSecond() {}

    public static void main(String[] args) {
        for (int round = 0; round < ROUNDS; round++) {
            for (Strategy strategy : List.of(Strategy.RANDOM, Strategy.PCT)) {
                Schedules schedules = strategy == Strategy.RANDOM ? Schedules.random(RUNS) : Schedules.pct(RUNS, 3);
                long begun = System.nanoTime();
                long runs = schedules
                        .parallel(Runtime.getRuntime().availableProcessors())
                        .check(SchedulesPerSecond::ring);
                System.out.printf(
                        "%s: %,.0f schedules a second%n", strategy, runs * NANOS / (System.nanoTime() - begun));
            }
        }
    }

    private static void ring(TestSystem test) {
        List<Actor<Integer>> ring = new ArrayList<>();
        var handled = new int[1];
        for (int i = 0; i < ACTORS; i++) {
            int next = (i + 1) % ACTORS;
            ring.add(test.actor("actor " + i).newActor((Integer left) -> {
                handled[0]++;
                if (left > 0) {
                    ring.get(next).tell(left - 1);
                }
            }));
        }
        for (int i = 0; i < FIRST; i++) {
            ring.get(i % ACTORS).tell(HOPS);
        }
        test.runUntilIdle();
        if (handled[0] != FIRST * (HOPS + 1)) {
            throw new AssertionError("handled " + handled[0]);
        }
    }
}
