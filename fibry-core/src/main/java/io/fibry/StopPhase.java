package io.fibry;

/**
 * When an actor is stopped while its system closes: first the sources of work from outside, then those that work by the clock, then the
 * actors that do the work.
 */
public enum StopPhase {
    /** Servers and other sources of work. */
    SERVERS,
    /** Actors that run by the clock. */
    SCHEDULES,
    /** All others, the default. */
    ACTORS
}
