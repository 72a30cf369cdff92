package io.fibry;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An actor at a moment, as {@link ActorSystem#actors}, {@link ActorSystem#stuck} and {@link ActorSystem#dump} see it. The actor is
 * not stopped for that. So the parts may be of slightly different moments, and are exact for an actor that is stuck.
 *
 * @param id tells actors apart that have no name of their own; hardly ever are two of them equal
 * @param name what {@link Actor#name} says
 * @param behavior the class of the behavior, or the kind of actor, such as {@code supervisor}
 * @param parent the parent's name; null if there is none
 * @param strategy {@code virtual}, {@code platform} or {@code pool}
 * @param state what it does
 * @param waitsFor the name of the actor that it waits for, if the state says so; the names of its children, of ten at most, if it is
 *     paused or stopping and waits for their ends; else null
 * @param stopping how the actor has been asked to stop; null if it has not
 * @param mailboxSize how many messages wait, without the one at work; at most about a million are counted
 * @param message the type of the message at work; null if there is none
 * @param atWorkFor how long the message has been at work; zero if there is none. On a platform thread and on an executor, the time
 *     includes the messages before it in its batch, at most 64
 * @param handled how many messages it has handled
 * @param failures how many times its behavior has thrown
 * @param restarts how many times it was restarted
 * @param children how many living children it has
 * @param stack the stack of its handler, the innermost call first; empty if none is at work
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
        Duration atWorkFor,
        long handled,
        long failures,
        long restarts,
        int children,
        List<StackTraceElement> stack) {

    /** What an actor does. */
    public enum State {
        /** It has no message. */
        IDLE,
        /** It has messages, and will get a thread. */
        READY,
        /** It handles a message. */
        AT_WORK,
        /** Its handler waits for the reply of another actor. */
        WAITS_FOR_REPLY,
        /** Its handler waits for room in the full mailbox of another actor. */
        WAITS_FOR_ROOM,
        /** Its handler waits for the end of another actor. */
        WAITS_FOR_EXIT,
        /** A supervisor waits until a child has finished its message. */
        WAITS_FOR_PAUSE,
        /** It waits for the backoff of its restart, for its supervisor, for its children to end before a restart, or for its predecessor. */
        PAUSED,
        /** It has been stopped and handles no message now, for instance because it waits for its children to end. */
        STOPPING
    }

    public ActorInfo {
        stack = List.copyOf(stack);
    }

    /** A line with its name, its state and its numbers, and then the stack. */
    @Override
    public String toString() {
        return DumpText.of(this);
    }

    /** A JSON object with the components of this record. */
    public String toJson() {
        return DumpJson.of(this);
    }
}
