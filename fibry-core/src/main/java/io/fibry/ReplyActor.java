package io.fibry;

import io.fibry.kernel.DirectCall;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An actor that replies to its messages.
 *
 * {@snippet class = "ActorSnippets" region = "ask"}
 *
 * <p><b>Memory consistency.</b> In addition to the guarantees of {@link Actor}, the handling of a message
 * <i>happens-before</i> the return of {@code get} on its reply.
 *
 * <p><b>Waiting inside an actor.</b> A behavior may wait for the reply of another actor. Without a timeout, and on
 * virtual threads, the other actor may run on the thread that waits. A stop that interrupts the waiting actor then
 * takes effect when the other behavior returns; to be interrupted earlier, wait with a timeout. Do not interrupt the
 * thread of an actor: it may run another actor by then. Use {@link StopMode#INTERRUPT}.
 *
 * <p>Actors must not wait for each other in a cycle, and an actor must not wait for its own reply: that is a deadlock.
 * An ask without a timeout that completes such a cycle fails with {@link AskDeadlockException} as soon as its thread
 * begins to wait, for the ask itself or for a stage that depends on it, such as {@code ask(..).thenApply(..).join()}. A
 * wait for {@link CompletableFuture#allOf} is not detected.
 *
 * @param <M> the type of the messages
 * @param <R> the type of the replies
 */
public interface ReplyActor<M, R extends @Nullable Object> extends Actor<M>, ActorRef<M, R> {

    /**
     * Sends a message and returns at once, unless the mailbox is full and its policy is {@link Overflow#BLOCK}: this
     * method then waits for room.
     *
     * <p>The future always completes: with the behavior's result; with the exception that the behavior threw; with
     * {@link MailboxFullException} if a full mailbox refuses or drops the message, according to its {@link Overflow}
     * policy; and with {@link ActorStoppedException} as soon as it is known that the message will not be handled. If
     * the future is completed or cancelled before the message is handled, the message is skipped.
     *
     * <p>A {@link java.util.concurrent.CancellationException} of the behavior does not cancel the future: the future
     * fails with {@link BehaviorCancelledException}.
     *
     * <p>With {@link Overflow#BLOCK}, the mailbox refuses the message only if the wait for room would be a deadlock.
     * With {@link Overflow#DROP_OLDEST}, it always accepts the message, but may drop it later.
     *
     * <p>A failure that completes the future is not logged, even if nothing reads the future: check it, or use
     * {@link Actor#tell}, whose failures are logged. {@link ActorSystem#onIncident} receives every failure. A failure
     * that occurs after the future has completed, for instance by a timeout or a cancellation, is logged.
     *
     * <p>If the actor is idle, the calling thread may run it in place while it waits for the future. The actor may then
     * enter a {@link java.util.concurrent.locks.ReentrantLock} that the caller holds. Do not use such a lock to exclude
     * the asked actor.
     *
     * @throws NullPointerException if the message is null
     * @throws ActorInterruptedException if the thread is interrupted while it waits for room
     */
    CompletableFuture<R> ask(M message);

    /**
     * As {@link #ask(Object)}, with a timeout, counted from this call and including the wait for room in a full
     * mailbox. After the timeout the future fails with {@link AskTimeoutException}, which describes the position of the
     * message and the message being handled. If the handling of the message has not begun by then, the message is
     * skipped.
     *
     * @throws NullPointerException if the message or the timeout is null
     * @throws IllegalArgumentException if the timeout is negative
     * @throws ActorInterruptedException if the thread is interrupted while it waits for room
     */
    @Override
    CompletableFuture<R> ask(M message, Duration timeout);

    /**
     * Sends a message and waits for the reply. An exception of the behavior is thrown as is, without a wrapper.
     *
     * {@snippet class = "AskSnippets" region = "call"}
     *
     * <p>If the actor is idle, the calling thread may run it in place while it waits. The actor may then enter a
     * {@link java.util.concurrent.locks.ReentrantLock} that the caller holds. Do not use such a lock to exclude the
     * asked actor.
     *
     * @return the reply
     * @throws ActorStoppedException if the actor has been stopped, or was stopped before it replied
     * @throws MailboxFullException if a full mailbox refused or dropped the message; see {@link #ask(Object)}
     * @throws ActorInterruptedException if the thread is interrupted while it waits; the ask is then cancelled
     * @throws AskDeadlockException if the wait would complete a cycle of actors that wait for each other
     * @throws BehaviorCancelledException if the behavior threw a {@link java.util.concurrent.CancellationException}
     * @throws Exception the exception that the behavior threw
     */
    default R call(M message) throws Exception {
        return DirectCall.await(ask(message));
    }

    /**
     * As {@link #call(Object)}, with a timeout.
     *
     * @throws AskTimeoutException if there is no reply in time
     * @throws Exception as for {@link #call(Object)}
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
