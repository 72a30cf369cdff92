package io.fibry;

import io.fibry.kernel.DumpJson;
import io.fibry.kernel.DumpText;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of an actor, taken by {@link ActorSystem#actors}, {@link ActorSystem#stuck} or {@link ActorSystem#dump}.
 * The actor keeps running, so the components may be from slightly different moments. They are exact for an actor that
 * is stuck.
 *
 * @param id identifies the actor, also without a name; collisions are possible, but rare
 * @param name the {@linkplain Actor#name name} of the actor
 * @param behavior the class of the behavior, or the kind of actor, such as {@code supervisor}
 * @param parent the parent's name; null if there is none
 * @param strategy {@code virtual}, {@code platform} or {@code pool}
 * @param state the state of the actor
 * @param waitsFor the name of the actor that it waits for, if it is in one of the waiting states; the names of at most
 *     ten of its children, if it is paused or stopping and waits for them to end; otherwise null
 * @param stopping the mode in which the actor has been stopped; null if it has not been stopped
 * @param mailboxSize the number of waiting messages, excluding the message being handled; at most about a million are
 *     counted
 * @param message the type of the message being handled; null if there is none
 * @param runningFor how long the message has been running in the handler; zero if there is none. On a platform thread
 *     and on an executor, the time includes the messages before it in its batch, at most 64
 * @param handledBySource the numbers of messages handled
 * @param failures the number of exceptions thrown by its behavior
 * @param restarts the number of restarts
 * @param children the number of living children
 * @param stack the stack of its handler, innermost frame first; empty if no handler is running
 */
public record ActorInfo(
        String id,
        String name,
        String behavior,
        @Nullable String parent,
        String strategy,
        State state,
        @Nullable String waitsFor,
        @Nullable StopMode stopping,
        long mailboxSize,
        @Nullable String message,
        Duration runningFor,
        HandledMessages handledBySource,
        long failures,
        long restarts,
        int children,
        List<StackTraceElement> stack) {

    /** The states of an actor. */
    public enum State {
        /** It has no message. */
        IDLE,
        /** It has messages, and waits for a thread. */
        READY,
        /** It handles a message. */
        RUNNING,
        /** Its handler waits for the reply of another actor. */
        WAITS_FOR_REPLY,
        /** Its handler waits for room in the full mailbox of another actor. */
        WAITS_FOR_ROOM,
        /** Its handler waits for the end of another actor. */
        WAITS_FOR_EXIT,
        /** It is a supervisor, and waits until a child has finished its message. */
        WAITS_FOR_PAUSE,
        /**
         * It waits for the backoff of its restart, for its supervisor, for its children to end before a restart, or for
         * its predecessor.
         */
        PAUSED,
        /** It has been stopped and is not handling a message, for instance because it waits for its children to end. */
        STOPPING
    }

    public ActorInfo {
        stack = List.copyOf(stack);
    }

    /** Returns the number of messages handled, of all sources. */
    public long handled() {
        return handledBySource.total();
    }

    /** Returns a line with the name, the state and the numbers of the actor, followed by the stack. */
    @Override
    public String toString() {
        return DumpText.of(this);
    }

    /** Returns a JSON object with the components of this record. */
    public String toJson() {
        return DumpJson.of(this);
    }
}
