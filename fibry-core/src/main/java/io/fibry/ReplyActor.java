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
 * <p><b>Waiting inside an actor.</b> A behavior may wait for the reply of another actor. Without a timeout, and on virtual
 * threads, that other actor may run on the thread that waits. A stop that interrupts the waiting actor then takes effect when the
 * other behavior returns; to be interrupted earlier, wait with a timeout. Never interrupt a thread that you saw an actor on: it
 * may be running another actor by now. Use {@link StopMode#INTERRUPT}.
 *
 * <p>Actors must not wait for each other in a circle, nor an actor for its own reply: that is a deadlock. An ask without a timeout
 * that completes such a circle fails with {@link AskDeadlockException} as soon as its thread begins to wait. The wait for a stage
 * that depends on the ask, such as {@code ask(..).thenApply(..).join()}, is not seen.
 *
 * @param <M> the type of the messages
 * @param <R> the type of the replies
 */
public interface ReplyActor<M, R extends @Nullable Object> extends Actor<M>, ActorRef<M, R> {

    /**
     * Sends a message and returns at once. If the mailbox is full and its policy is {@link Overflow#BLOCK}, it waits
     * for room.
     *
     * <p>The future always completes: with the behavior's result; with what the behavior threw; with
     * {@link MailboxFullException} if a full mailbox refuses or drops the message, as its {@link Overflow} policy says;
     * and with {@link ActorStoppedException} as soon as it is clear that the message will not be handled. If you
     * complete or cancel the future before the message's turn has come, the message is skipped.
     *
     * <p>A {@link java.util.concurrent.CancellationException} of the behavior does not cancel the future: the future
     * fails with {@link BehaviorCancelledException}.
     *
     * <p>{@link Overflow#BLOCK} refuses the message only if the wait for room would be a deadlock.
     * {@link Overflow#DROP_OLDEST} always accepts it, but may drop it later.
     *
     * <p>A failure that completes the future is not logged, even if nothing reads the future: check it, or use
     * {@link Actor#tell}, whose failures are logged. {@link ActorSystem#onIncident} gets every failure. A failure that
     * comes after the future has completed, for instance by a timeout or a cancellation, is logged.
     *
     * <p>If the actor is idle, the calling thread may run it in place while it waits for the future. The actor may then
     * enter a {@link java.util.concurrent.locks.ReentrantLock} that the caller holds. Do not use such a lock to keep an
     * actor out that you ask.
     *
     * @throws NullPointerException if the message is null
     * @throws ActorInterruptedException if the thread is interrupted while it waits for room
     */
    CompletableFuture<R> ask(M message);

    /**
     * As {@link #ask(Object)}, with a timeout, counted from this call and including the wait for room in a full mailbox. Then the
     * future fails with {@link AskTimeoutException}, which says where the message was and what the actor was at work on. If the
     * message's turn has not come by then, it is skipped.
     *
     * @throws NullPointerException if the message or the timeout is null
     * @throws IllegalArgumentException if the timeout is negative
     * @throws ActorInterruptedException if the thread is interrupted while it waits for room
     */
    @Override
    CompletableFuture<R> ask(M message, Duration timeout);

    /**
     * Asks, and waits for the reply: for code that may block. It throws what the behavior threw, and not a wrapper of
     * it.
     *
     * {@snippet class = "AskSnippets" region = "call"}
     *
     * <p>If the actor is idle, the calling thread may run it in place while it waits. The actor may then enter a
     * {@link java.util.concurrent.locks.ReentrantLock} that the caller holds. Do not use such a lock to keep an actor
     * out that you ask.
     *
     * @return the reply
     * @throws ActorStoppedException if the actor has been stopped, or was stopped before it replied
     * @throws MailboxFullException if a full mailbox refused or dropped the message; see {@link #ask(Object)}
     * @throws ActorInterruptedException if the thread is interrupted while it waits; the ask is then cancelled
     * @throws AskDeadlockException if the wait would never end, because actors would wait for each other in a circle
     * @throws BehaviorCancelledException if the behavior threw a {@link java.util.concurrent.CancellationException}
     * @throws Exception what the behavior threw
     */
    default R call(M message) throws Exception {
        return DirectCall.await(ask(message));
    }

    /**
     * As {@link #call(Object)}, with a timeout.
     *
     * @throws AskTimeoutException if there is no reply in time
     * @throws Exception what {@link #call(Object)} throws
     */
    default R call(M message, Duration timeout) throws Exception {
        return DirectCall.await(ask(message, timeout));
    }

    /** The same as {@link #ask(Object)}. */
    default CompletableFuture<R> sendMessageReturn(M message) {
        return ask(message);
    }

    @Override
    ReplyActor<M, R> closeOnExit(AutoCloseable... resources);
}
