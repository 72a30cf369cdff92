package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.MailboxFullException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lets an actor that passes its messages on leave them in its mailbox while it can pass on none. Its senders then meet
 * the policy of a full mailbox, and no thread waits.
 */
public final class Holding {

    private Holding() {}

    /**
     * Leaves the messages in the mailbox, which must have a limit or a priority, from the next message until
     * {@link #release} or a restart. Meanwhile the actor handles work that is not in the mailbox: messages of timers
     * and of {@link ActorContext#pipeToSelf}, and the ends of watched actors.
     *
     * <p>A draining actor holds its messages only as long as a stage of {@link ActorContext#pipeToSelf} is open. Then
     * it handles them.
     *
     * <p>After the first hold, descendants of the actor never wait for room in its mailbox, since it may be waiting for
     * them: if it is full, they receive a {@link MailboxFullException}. Messages that they send while the actor drains
     * are held, too, and follow those in the mailbox.
     *
     * @throws IllegalStateException if the actor is not handling a message
     * @throws UnsupportedOperationException if the mailbox has neither a limit nor a priority
     */
    public static void hold(ActorContext<?> context) {
        ActorCell<?> actor = ((CellContext<?, ?>) context).actor;
        mailboxInTurn("hold", context).hold();
        actor.registry().holds(actor); // because of the messages that stay in its mailbox
    }

    /**
     * Ends a {@link #hold}. Has no effect if there is none.
     *
     * @throws IllegalStateException if the actor is not handling a message
     * @throws UnsupportedOperationException if the mailbox has neither a limit nor a priority
     */
    public static void release(ActorContext<?> context) {
        ActorCell<?> actor = ((CellContext<?, ?>) context).actor;
        if (mailboxInTurn("release", context).release()) {
            actor.registry().forgetIfIdle(actor);
        }
    }

    private static BoundedMailbox mailboxInTurn(String what, ActorContext<?> context) {
        ((CellContext<?, ?>) context).current(what);
        BoundedMailbox bounded = ((CellContext<?, ?>) context).actor.boundedMailbox();
        if (bounded == null) {
            throw new UnsupportedOperationException(what + " needs a mailbox with bounded(..) or priority(..)");
        }
        return bounded;
    }

    /**
     * Takes the next message of a held mailbox on behalf of its actor, which counts it as handled. Returns null if the
     * mailbox is empty, not held, or about to be discarded, or if only the actor can handle the next message. Messages
     * are taken in their order.
     *
     * <p>Called by a child of the actor in its turn, which calls {@link #passRoomOn} after it has released its locks.
     * The actor has another turn after its last child has ended. It then counts the messages that were taken before.
     */
    public static @Nullable Object take(ActorContext<?> context) {
        ActorCell<?> actor = ((CellContext<?, ?>) context).actor;
        return actor.discards()
                ? null
                : Objects.requireNonNull(actor.boundedMailbox()).takeHeld();
    }

    /** Completes futures of {@link Actor#whenWritable} if there is room. Runs code of users. */
    public static void passRoomOn(ActorContext<?> context) {
        ActorCell<?> actor = ((CellContext<?, ?>) context).actor;
        RoomFutures.passRoomOn(Objects.requireNonNull(actor.boundedMailbox()).futures());
    }

    /** The number of waiting messages that the actor and its descendants have sent while it drains. Any thread. */
    public static int waitingInDrain(ActorContext<?> context) {
        ChildMessages messages = ((CellContext<?, ?>) context).actor.lifecycle().childMessagesIfAny();
        return messages == null ? 0 : messages.size();
    }

    /** Makes a dead letter of a {@linkplain #take taken} message. */
    public static void discard(ActorContext<?> context, Object message) {
        ActorCell<?> actor = ((CellContext<?, ?>) context).actor;
        Objects.requireNonNull(Objects.requireNonNull(actor.boundedMailbox()).holdIfAny())
                .countDiscarded();
        actor.deadLetter(message, DeadLetters.reason(actor));
    }

    /** Counts messages that children have taken or discarded. Returns the number of taken ones. Consumer only. */
    static long countTaken(ActorCell<?> actor, BoundedMailbox bounded) {
        MailboxHold hold = bounded.holdIfAny();
        if (hold == null) {
            return 0;
        }
        long discarded = hold.discardedSinceLast();
        if (discarded != 0) {
            actor.lifecycle().countDiscarded(discarded);
        }
        return hold.takenSinceLast();
    }
}
