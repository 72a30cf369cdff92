package io.fibry.test;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides what runs next in one run of a simulation. */
abstract class Chooser {

    /** A strand has appeared. */
    void appeared(Strand strand) {}

    /**
     * Chooses one of the strands that can run, or, by their number, that time goes on to what is due next.
     *
     * @param current the strand that runs now and can go on, which is then the first of them; else null
     * @param mayPass whether time may go on
     * @param clock stands for time, to those who rank what they choose from
     */
    abstract int choose(List<Strand> strands, @Nullable Strand current, boolean mayPass, Strand clock);

    /** Draws a number from 0 to below the bound; 0 in a run without surprises. */
    abstract int draw(int bound);

    /** One that makes the same choices once more. */
    abstract Chooser again();

    /** What tells this run from all others, for the annotation that replays it. */
    abstract String replay();
}
