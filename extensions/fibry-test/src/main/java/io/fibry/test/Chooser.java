package io.fibry.test;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides which strand runs next in one run of a simulation. */
abstract class Chooser {

    /** Called for each new strand. */
    void appeared(Strand strand) {}

    /**
     * Returns the index of a strand that can run, or the number of strands to advance the clock to the next alarm.
     *
     * @param current the current strand if it can continue, which is then the first element of the list; otherwise null
     * @param mayPass whether the clock may advance
     * @param clock represents the passage of time, for choosers that rank strands
     */
    abstract int choose(List<Strand> strands, @Nullable Strand current, boolean mayPass, Strand clock);

    /** Returns a number from 0 (inclusive) to the bound (exclusive); always 0 in a run without injected faults. */
    abstract int draw(int bound);

    /** Returns a chooser that makes the same choices again. */
    abstract Chooser again();

    /** Returns the parameters of the annotation that replays this run. */
    abstract String replay();
}
