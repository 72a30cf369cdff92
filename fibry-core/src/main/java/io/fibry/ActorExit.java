package io.fibry;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an actor ended, and what happened to the messages that it had accepted. Immutable.
 *
 * @param reason the kind of end
 * @param cause the failure if the reason is {@link Reason#FAILED}, else null
 * @param handled how many messages were handled, including those that failed
 * @param failed how many of them made the behavior throw
 * @param discarded how many became {@linkplain DeadLetter dead letters}
 * @param stuckAt the stack of the handler that was at work when the actor was interrupted, the last time if it was interrupted
 *     more than once; empty if none was
 */
public record ActorExit(
        Reason reason,
        @Nullable Throwable cause,
        long handled,
        long failed,
        long discarded,
        List<StackTraceElement> stuckAt) {

    /** The kinds of end. */
    public enum Reason {
        /** The actor was stopped, or its task was done. */
        NORMAL,
        /** A failure ended the actor. */
        FAILED,
        /** The actor was stopped with {@link StopMode#INTERRUPT}. */
        INTERRUPTED
    }

    /** Checks that there is a cause if, and only if, the reason is {@link Reason#FAILED}. */
    public ActorExit {
        Objects.requireNonNull(reason, "reason");
        stuckAt = List.copyOf(stuckAt);
        if ((reason == Reason.FAILED) != (cause != null)) {
            throw new IllegalArgumentException("a cause belongs to the reason FAILED, and to no other: " + reason);
        }
    }

    /** Whether the actor ended by itself or by an orderly stop. */
    public boolean isNormal() {
        return reason == Reason.NORMAL;
    }
}
