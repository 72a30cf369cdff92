package io.fibry.schedule;

/**
 * The policies of a {@link Timetable} for missed runs: runs that could not start at their time, for instance because
 * the computer was suspended. Runs that become due during another run are skipped, except with {@link #ALL}.
 */
public enum MissedRuns {
    /** One immediate run replaces all missed runs. This is the default. */
    ONCE,
    /** A run that is later than the {@linkplain Timetable#tolerance tolerance} is skipped. */
    SKIP,
    /** All missed runs are caught up, one after another. */
    ALL
}
