package io.fibry;

import io.fibry.dispatch.Runner;

/**
 * Something that comes to an actor by way of its mailbox, in order with the messages, and is none: the tick of a timer, the end of
 * an actor that it watches. Nobody counts it, no limit refuses it, and if the actor ends before it gets there, it is forgotten.
 */
@FunctionalInterface
interface Signal {

    /** Has the actor look at what concerns it beside its messages. */
    Signal WAKE_UP = Runner::wantAttention;

    /** Runs inside the actor, by the runner of this turn; what it throws is a failure of the behavior. */
    void deliver(Runner runner) throws Exception;

    /** Whether this is a message for the behavior, which may put it aside. */
    default boolean isMessage() {
        return false;
    }
}
