package io.fibry;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an actor ended, and the numbers of accepted messages by outcome. Immutable.
 *
 * @param reason the reason of the end
 * @param cause the failure if the reason is {@link Reason#FAILED}, else null
 * @param handled the number of messages handled, of all sources in {@link HandledMessages}, including failed ones
 * @param failed the number of handled messages for which the behavior threw
 * @param discarded the number of messages that became {@linkplain DeadLetter dead letters}
 * @param stuckAt the stack of the handler that was running when the actor was last interrupted; empty if none was
 *     running, or if the actor was not interrupted
 */
public record ActorExit(
        Reason reason,
        @Nullable Throwable cause,
        long handled,
        long failed,
        long discarded,
        List<StackTraceElement> stuckAt) {

    /** The reasons of an end. */
    public enum Reason {
        /** The actor was stopped, or its task completed. */
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

    /** Returns whether the actor ended by itself or by an orderly stop. */
    public boolean isNormal() {
        return reason == Reason.NORMAL;
    }
}
