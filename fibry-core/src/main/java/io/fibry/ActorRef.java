package io.fibry;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A reference to an actor that may be on this machine or on another one. A {@link ReplyActor} refers to an actor on
 * this machine; {@link io.fibry.entity.Entities#ref} returns a reference to the actor of a key, on any machine.
 * Thread-safe.
 *
 * {@snippet class = "EntitySnippets" region = "ref"}
 *
 * <p>Messages of one sender are handled in the order in which they were sent. A reference to an actor on this machine
 * gives the guarantees of {@link Actor}. A message to another machine may be lost when a machine or the network fails.
 * The sender of a {@code tell} is not notified; an ask fails at its timeout.
 *
 * @param <M> the type of the messages
 * @param <R> the type of the replies
 */
public interface ActorRef<M, R extends @Nullable Object> {

    /**
     * Sends a message.
     *
     * @throws NullPointerException if the message is null
     * @throws ActorStoppedException if it is already known that the message will not be handled
     * @throws MailboxFullException if the actor is on this machine, and its full mailbox refuses the message
     */
    void tell(M message);

    /**
     * Sends a message if there is room for it. Never waits. For an actor on another machine, the limit applies to
     * messages in transit.
     *
     * @return whether the message was accepted
     * @throws NullPointerException if the message is null
     * @throws ActorStoppedException if it is already known that the message will not be handled
     */
    boolean tryTell(M message);

    /**
     * Sends a message, and returns a future with its reply. The future always completes: with the value that the
     * behavior returned or the exception that it threw; with {@link java.util.concurrent.TimeoutException} after the
     * timeout, and then it is unknown whether the message has been handled; with {@link MailboxFullException} if a full
     * mailbox refuses it; and with {@link ActorStoppedException} as soon as it is known that the message will not be
     * handled.
     *
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if the timeout is negative
     */
    CompletableFuture<R> ask(M message, Duration timeout);

    /** Returns the name of the actor in logs and exceptions. */
    String name();
}
