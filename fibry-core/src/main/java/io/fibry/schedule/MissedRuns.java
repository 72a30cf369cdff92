package io.fibry.schedule;

/**
 * What a {@link Timetable} does about runs whose time has passed, for instance because the computer was suspended. Runs that were due while
 * another one was at work are left out, except with {@link #ALL}.
 */
public enum MissedRuns {
    /** There is one run, at once, in place of all that were missed. The default. */
    ONCE,
    /** A run that is later than the {@linkplain Timetable#tolerance tolerance} is left out. */
    SKIP,
    /** All of them are made up, one after another. */
    ALL
}
