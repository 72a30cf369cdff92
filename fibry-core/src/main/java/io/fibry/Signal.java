package io.fibry;

import io.fibry.dispatch.Runner;

/**
 * An event that reaches an actor through its mailbox, in order with the messages: the tick of a timer, or the end of a watched
 * actor. It is not a message: it is not counted, and no limit refuses it. If the actor ends first, it is discarded.
 */
@FunctionalInterface
interface Signal {

    /** Makes the actor check its lifecycle. */
    Signal WAKE_UP = Runner::wantAttention;

    /** Runs inside the actor, on the runner of this turn. An exception is a failure of the behavior. */
    void deliver(Runner runner) throws Exception;

    /** Whether this delivers a message to the behavior, which may stash it. */
    default boolean isMessage() {
        return false;
    }
}
