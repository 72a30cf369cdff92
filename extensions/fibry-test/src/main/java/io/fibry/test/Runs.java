package io.fibry.test;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The runs of a check, one after the other. */
interface Runs {

    record Run(long number, Chooser chooser) {}

    /** Returns the next run, or null if there is none. */
    @Nullable
    Run next();

    /** Records the failure of a run. Later runs are not required. */
    void failed(long number);

    /** Returns one run for each seed, for any number of lanes. */
    static Runs ofSeeds(long first, long last, LongFunction<Chooser> ofSeed) {
        var next = new AtomicLong(first);
        var end = new AtomicLong(last);
        return new Runs() {
            @Override
            public @Nullable Run next() {
                long seed = next.getAndIncrement();
                return seed > end.get() ? null : new Run(seed, ofSeed.apply(seed));
            }

            @Override
            public void failed(long number) {
                end.accumulateAndGet(number, Math::min);
            }
        };
    }

    /** Returns a single run, of the given path. */
    static Runs ofPath(PathChooser path) {
        return ofSeeds(1, 1, one -> path);
    }

    /** Returns one run for each schedule, for a single lane. */
    static Runs ofAllPaths(long max) {
        return new Runs() {
            private @Nullable PathChooser last;
            private long number;

            @Override
            public @Nullable Run next() {
                PathChooser before = last;
                PathChooser next = before == null ? PathChooser.first() : before.next();
                if (next == null) {
                    return null;
                }
                if (++number > max) {
                    throw new AssertionError("there are more than " + max
                            + " schedules, and none of these has failed; make the scenario smaller, or use"
                            + " random schedules");
                }
                last = next;
                return new Run(number, next);
            }

            @Override
            public void failed(long number) {}
        };
    }
}
