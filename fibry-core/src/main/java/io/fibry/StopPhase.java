package io.fibry;

/**
 * When an actor is stopped as its system closes: first what brings work in from outside, then what makes work by the
 * clock, then the actors that do it.
 */
public enum StopPhase {
    /** Servers and other sources of work. */
    SERVERS,
    /** Actors that run by the clock. */
    SCHEDULES,
    /** All others, the default. */
    ACTORS
}
