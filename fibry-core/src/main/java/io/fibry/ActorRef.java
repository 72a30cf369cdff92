package io.fibry;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A reference to an actor that may be on this machine or on another one: what both kinds have in common. A {@link ReplyActor} is one
 * on this machine; {@link io.fibry.entity.Entities#ref} returns one for the actor of a key, wherever it is. Any thread may call it.
 *
 * {@snippet class = "EntitySnippets" region = "ref"}
 *
 * <p>Messages of one sender are handled in the order in which they were sent. A reference to an actor on this machine gives the
 * guarantees of {@link Actor}. To another machine, a message may be lost when a machine or the network fails: then {@code tell} does not
 * learn it, and an ask ends with its timeout.
 *
 * @param <M> the type of the messages
 * @param <R> the type of the replies
 */
public interface ActorRef<M, R extends @Nullable Object> {

    /**
     * Sends a message.
     *
     * @throws NullPointerException if the message is null
     * @throws ActorStoppedException if it is clear now that nobody will handle the message
     * @throws MailboxFullException if the actor is on this machine, and its full mailbox refuses the message
     */
    void tell(M message);

    /**
     * Sends a message if there is room for it. It never waits. For an actor on another machine, room means room on the way to it.
     *
     * @return whether the message was accepted
     * @throws NullPointerException if the message is null
     * @throws ActorStoppedException if it is clear now that nobody will handle the message
     */
    boolean tryTell(M message);

    /**
     * Sends a message, and returns a future with its reply. The future always completes: with what the behavior returned or threw;
     * with {@link java.util.concurrent.TimeoutException} after the timeout, and then it is unknown whether the message has been handled; with
     * {@link MailboxFullException} if a full mailbox refuses it; and with {@link ActorStoppedException} as soon as it is clear that
     * nobody will handle it.
     *
     * @throws NullPointerException if an argument is null
     */
    CompletableFuture<R> ask(M message, Duration timeout);

    /** The name of the actor in logs and exceptions. */
    String name();
}
