package io.fibry.bench.hunt;

/** A part of a {@link Program} that can be removed independently. */
sealed interface Step {

    /** The strand of the setup steps, which run before all other strands. */
    int SETUP = -1;

    /** The number of the actor. */
    int actor();

    /** A strand starts an actor. */
    record Start(int strand, int actor, Kind kind) implements Step {}

    /** An option of an actor. */
    record Option(int actor, Trait trait) implements Step {}

    /** A strand acts on an actor. */
    record Op(int strand, Verb verb, int actor, Act act, int count) implements Step {}
}
