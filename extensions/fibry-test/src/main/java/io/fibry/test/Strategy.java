package io.fibry.test;

/** How schedules are chosen. */
public enum Strategy {

    /** At random, at each point where order is open. Finds most bugs. */
    RANDOM,

    /**
     * By random priorities, which change at a few random points; see {@link ActorTest#depth}. Finds bugs that need one actor to be slow
     * for long (probabilistic concurrency testing; Burckhardt et al., ASPLOS 2010).
     */
    PCT,

    /** All schedules, one after the other. For small scenarios: their number grows exponentially. */
    ALL
}
