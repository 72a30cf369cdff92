package io.fibry;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an actor ended. Immutable.
 *
 * @param reason the kind of end
 * @param cause what the actor failed with if the reason is {@link Reason#FAILED}, else null
 */
public record ActorExit(Reason reason, @Nullable Throwable cause) {

    /** The kinds of end. */
    public enum Reason {
        /** The actor was stopped, or was done. */
        NORMAL,
        /** A behavior's exception ended the actor. */
        FAILED,
        /** The actor was stopped with {@link StopMode#INTERRUPT}. */
        INTERRUPTED
    }

    static final ActorExit NORMAL = new ActorExit(Reason.NORMAL, null);
    static final ActorExit INTERRUPTED = new ActorExit(Reason.INTERRUPTED, null);

    /** Checks that there is a cause exactly if the reason is {@link Reason#FAILED}. */
    public ActorExit {
        Objects.requireNonNull(reason, "reason");
        if ((reason == Reason.FAILED) != (cause != null)) {
            throw new IllegalArgumentException("a cause belongs to the reason FAILED, and to no other: " + reason);
        }
    }

    static ActorExit failed(Throwable cause) {
        return new ActorExit(Reason.FAILED, cause);
    }

    /** Whether the actor ended by itself or by an orderly stop. */
    public boolean isNormal() {
        return reason == Reason.NORMAL;
    }
}
