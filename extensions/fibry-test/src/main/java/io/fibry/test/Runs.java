package io.fibry.test;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The runs of a check, one after the other. */
interface Runs {

    record Run(long number, Chooser chooser) {}

    /** The next run; null if there is none. */
    @Nullable
    Run next();

    /** This run has failed; those after it are not needed. */
    void failed(long number);

    /** One run for each seed, for several lanes. */
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

    /** The schedule with this path alone. */
    static Runs ofPath(PathChooser path) {
        return ofSeeds(1, 1, one -> path);
    }

    /** All schedules, for one lane. */
    static Runs ofAllPaths(long most) {
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
                if (++number > most) {
                    throw new AssertionError("there are more than " + most
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
