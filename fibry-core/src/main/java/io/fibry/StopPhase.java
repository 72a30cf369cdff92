package io.fibry;

/**
 * When an actor is stopped while its system closes: first the sources of external work, then schedules, then the actors
 * that do the work.
 */
public enum StopPhase {
    /** Servers and other sources of work. */
    SERVERS,
    /** Actors that run on a schedule. */
    SCHEDULES,
    /** All others, the default. */
    ACTORS
}
