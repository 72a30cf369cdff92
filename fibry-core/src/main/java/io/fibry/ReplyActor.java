package io.fibry;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An actor that answers its messages.
 *
 * {@snippet class = "ActorSnippets" region = "ask"}
 *
 * <p><b>Memory consistency.</b> In addition to what {@link Actor} says, the handling of a message <i>happens-before</i> the
 * return of {@code get} on its reply.
 *
 * <p><b>Waiting inside an actor.</b> A behavior may wait for the reply of another actor. On virtual threads, that other actor may
 * then run on the thread of the one that waits, if the wait has no time limit. A stop that interrupts the one that waits takes
 * effect when the other's behavior returns; a wait that has to end earlier needs a limit, as {@code get(1, SECONDS)}. Code that
 * keeps an actor's thread to interrupt it by hand cannot know which actor it hits: stop the actor instead.
 *
 * @param <M> the type of the messages
 * @param <R> the type of the replies
 */
public interface ReplyActor<M, R extends @Nullable Object> extends Actor<M> {

    /**
     * Sends a message and returns at once, unless the mailbox is full and its policy is {@link Overflow#BLOCK}. A message for
     * which a bounded mailbox has no room fails with {@link MailboxFullException}. The future always completes: with the behavior's result, with what the behavior
     * threw, or with {@link ActorStoppedException}: at once if the actor has been stopped, and for a message that was waiting
     * at the moment of a stop that discards it. A message whose future somebody else has completed or cancelled before its turn
     * comes is skipped. Waiting for the future from inside the actor's own behavior never ends.
     *
     * @throws NullPointerException if the message is null
     * @throws ActorInterruptedException if the thread is interrupted while it waits for room
     */
    CompletableFuture<R> ask(M message);

    /**
     * As {@link #ask(Object)}, and fails with {@link AskTimeoutException} if there is no reply within the time, counted from this
     * call; the wait for room in a full mailbox counts too. The exception tells where the message was and what the actor was at work on. A message whose ask has ended in
     * whatever way before its turn comes is skipped and not handled.
     *
     * @throws NullPointerException if the message or the timeout is null
     * @throws ActorInterruptedException if the thread is interrupted while it waits for room
     */
    CompletableFuture<R> ask(M message, Duration timeout);

    /**
     * Asks, and waits for the reply: for code that may block. It throws what the behavior threw, and not a wrapper of it.
     *
     * {@snippet class = "AskSnippets" region = "call"}
     *
     * @return the reply
     * @throws ActorStoppedException if the actor has been stopped, or was stopped before it replied
     * @throws MailboxFullException if a bounded mailbox has no room
     * @throws ActorInterruptedException if the thread is interrupted while it waits; the ask is then cancelled
     * @throws Exception what the behavior threw
     */
    default R call(M message) throws Exception {
        return Asks.await(ask(message));
    }

    /**
     * As {@link #call(Object)}, with a timeout.
     *
     * @throws AskTimeoutException if there is no reply in time
     * @throws Exception what {@link #call(Object)} throws
     */
    default R call(M message, Duration timeout) throws Exception {
        return Asks.await(ask(message, timeout));
    }

    /** The same as {@link #ask(Object)}. */
    default CompletableFuture<R> sendMessageReturn(M message) {
        return ask(message);
    }

    @Override
    ReplyActor<M, R> closeOnExit(AutoCloseable... resources);
}
