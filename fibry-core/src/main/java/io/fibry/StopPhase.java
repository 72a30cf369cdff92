package io.fibry;

/**
 * The phases of the close of a system, in their order. In each phase, the system stops the actors that
 * {@link ActorBuilder#stopPhase} has assigned to it.
 */
public enum StopPhase {
    /** Servers and other sources of work. */
    SERVERS,
    /** Actors that run on a schedule. */
    SCHEDULES,
    /** All others, the default. */
    ACTORS
}
