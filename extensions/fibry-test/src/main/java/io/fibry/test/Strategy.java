package io.fibry.test;

/** A strategy for the choice of schedules. */
public enum Strategy {

    /** Random choices at each point where the order is not determined. Finds most bugs. */
    RANDOM,

    /**
     * Random priorities, which change at a few random points; see {@link ActorTest#depth}. Finds bugs that require one
     * actor to be slow for a long time (probabilistic concurrency testing; Burckhardt et al., ASPLOS 2010).
     */
    PCT,

    /**
     * All schedules, one after the other. Suitable for small scenarios only: the number of schedules grows
     * exponentially.
     */
    ALL
}
