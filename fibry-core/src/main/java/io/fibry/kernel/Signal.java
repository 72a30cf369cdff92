package io.fibry.kernel;

import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.ActorThread;
import org.jspecify.annotations.Nullable;

/**
 * An event that reaches an actor through its mailbox, in order with the messages: the tick of a timer, or the end of a
 * watched actor. A signal was not sent as a message: {@link OwnMessages} counts it, and no limit refuses it. If the
 * actor ends first, it is discarded; see {@link #lost}.
 */
@FunctionalInterface
interface Signal {

    /** Makes the actor check its lifecycle. */
    Signal WAKE_UP = ActorThread::wantAttention;

    /** Runs inside the actor, on the runner of this turn. An exception is a failure of the behavior. */
    void deliver(ActorThread runner) throws Exception;

    /**
     * The context of the code that caused this signal; null if the system has no carrier, or the signal runs no user
     * code.
     */
    default @Nullable Captured context() {
        return null;
    }

    /** Returns this signal with a context. */
    default Signal in(@Nullable Captured context) {
        return context == null ? this : new SignalInContext(this, context);
    }

    /** The object that this signal delivers to the code of the user, for the context carrier. Consumer only. */
    default Object delivered() {
        return this;
    }

    /** The message that becomes a dead letter if this signal is discarded now; null if there is none. Consumer only. */
    default @Nullable Object lost() {
        return null;
    }

    /** Called when this signal has been discarded. Idempotent. Consumer only. */
    default void discarded() {}

    /** Whether this signal delivers a message to the behavior, which may stash it. */
    default boolean isMessage() {
        return false;
    }
}
