package io.fibry;

import io.fibry.kernel.DirectCall;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The handle to a running actor: an object with a mailbox, whose behavior handles one message at a time. Any thread may
 * call any method, also from inside a behavior.
 *
 * {@snippet class = "ActorSnippets" region = "tell"}
 *
 * <p><b>Order.</b> Messages of one sender to one actor are handled in the order in which they were sent. Handlers of
 * one actor never overlap.
 *
 * <p><b>Memory consistency.</b> Actions of a thread before it sends a message <i>happen-before</i> the handling of that
 * message, and the handling of a message <i>happens-before</i> the handling of the next one, even on different threads.
 * A behavior may therefore keep its state in plain fields. It must not keep state in thread-locals: the thread may
 * change from message to message.
 *
 * <p><b>Failure.</b> An exception thrown by a behavior completes the ask exceptionally. If the message is not an ask,
 * the exception is logged with the actor's name, at most once a second for each actor. Then the actor's
 * {@link Supervision} decides; by default the actor handles its next message. An {@link Error} that is logged is also
 * passed to the {@linkplain Thread#getDefaultUncaughtExceptionHandler() default uncaught exception handler}, if there
 * is one.
 *
 * <p><b>End.</b> An actor ends when it is stopped. Once stopped, it refuses new messages; accepted messages are
 * handled, or become dead letters, depending on the {@link StopMode}. A busy actor keeps the JVM alive, an idle one
 * does not. An idle actor uses no thread, and is eligible for garbage collection when it is no longer referenced.
 *
 * @param <M> the type of the messages
 */
public interface Actor<M> extends Executor, AutoCloseable {

    /**
     * Sends a message and returns at once, unless the mailbox is full and its policy is {@link Overflow#BLOCK}.
     *
     * @throws NullPointerException if the message is null
     * @throws ActorStoppedException if the actor has been stopped; the message is not handled
     * @throws MailboxFullException if the mailbox is full and its policy is {@link Overflow#FAIL}, or it is
     *     {@link Overflow#BLOCK} and the wait for room would be a deadlock
     * @throws ActorInterruptedException if the thread is interrupted while it waits for room
     */
    void tell(M message);

    /**
     * Sends a message if the mailbox has room for it. Never waits. An unbounded mailbox, and one with
     * {@link Overflow#DROP_OLDEST}, always has room.
     *
     * @return whether the message was accepted
     * @throws NullPointerException if the message is null
     * @throws ActorStoppedException if the actor has been stopped
     */
    boolean tryTell(M message);

    /**
     * Sends several messages atomically: they are handled in order, with no message of another sender in between. Only
     * a {@linkplain ActorBuilder#priority priority} changes their order. Either all messages are accepted, or none. An
     * empty list has no effect.
     *
     * {@snippet class = "ActorSnippets" region = "tellAll"}
     *
     * <p>Never waits. If a bounded mailbox does not have room for all messages, {@link Overflow#BLOCK} and
     * {@link Overflow#FAIL} refuse them, {@link Overflow#DROP_NEWEST} drops all of them, and
     * {@link Overflow#DROP_OLDEST} drops as many older messages as necessary.
     *
     * @throws NullPointerException if the list or a message is null
     * @throws ActorStoppedException if the actor has been stopped
     * @throws MailboxFullException if the mailbox has not enough room and its policy is {@link Overflow#BLOCK} or
     *     {@link Overflow#FAIL}
     * @throws IllegalArgumentException if there are more messages than the capacity of the mailbox
     */
    void tellAll(List<? extends M> messages);

    /**
     * Sends a message that carries the address for its reply, and returns at once. Each message type has its own reply
     * type, checked by the compiler. If the mailbox is full and its policy is {@link Overflow#BLOCK}, this method waits
     * for room, but no longer than the timeout.
     *
     * {@snippet class = "AskSnippets" region = "replyTo"}
     *
     * <p>The future always completes: with the first reply or failure given to the {@link ReplyTo}; with the exception
     * that the behavior threw while it handled the message; with {@link AskTimeoutException} after the timeout, counted
     * from this call; with {@link MailboxFullException} if a full mailbox refuses or drops the message, according to
     * its {@link Overflow} policy; and with {@link ActorStoppedException} as soon as this actor can no longer reply,
     * because it was stopped before it handled the message, or ended or was restarted before it replied. This also
     * applies if this actor has passed the {@code ReplyTo} to another actor.
     *
     * <p>With {@link Overflow#BLOCK}, the mailbox refuses the message only if the wait for room would be a deadlock.
     * With {@link Overflow#DROP_OLDEST}, it always accepts the message, but may drop it later.
     *
     * <p>A failure that completes the future is not logged, even if nothing reads the future: check it, or use
     * {@link Actor#tell}, whose failures are logged. {@link ActorSystem#onIncident} receives every failure. A failure
     * that occurs after the future has completed, for instance by a timeout or a cancellation, is logged.
     *
     * @param message makes the message; called once, by this thread
     * @throws NullPointerException if an argument or the message is null
     * @throws IllegalArgumentException if the timeout is negative
     * @throws ActorInterruptedException if the thread is interrupted while it waits for room
     */
    <R extends @Nullable Object> CompletableFuture<R> ask(Function<ReplyTo<R>, M> message, Duration timeout);

    /**
     * As {@link #ask(Function, Duration)}, and waits for the reply. A wait with a timeout never runs the actor in
     * place, as {@link ReplyActor#call(Object)} may.
     *
     * @return the reply
     * @throws AskTimeoutException if there is no reply in time
     * @throws MailboxFullException if a full mailbox refused or dropped the message; see
     *     {@link #ask(Function, Duration)}
     * @throws ActorStoppedException if the actor will not reply because it has been stopped, has ended or was restarted
     * @throws ActorInterruptedException if the thread is interrupted while it waits; the ask is then cancelled
     * @throws Exception the exception that the behavior threw, or that was given to {@link ReplyTo#fail}
     */
    default <R extends @Nullable Object> R call(Function<ReplyTo<R>, M> message, Duration timeout) throws Exception {
        return DirectCall.await(ask(message, timeout));
    }

    /**
     * Returns a future that completes when a full mailbox may have room; it is already complete if the mailbox has room
     * or is unbounded. It fails with {@link ActorStoppedException} if the actor is stopped before that, or has been
     * stopped. Another sender may fill the mailbox first: if a subsequent {@link #tryTell} returns false, request
     * another future. No thread waits.
     *
     * {@snippet class = "ActorSnippets" region = "room"}
     *
     * <p>The futures complete in FIFO order while the mailbox has room. A future whose owner does not send delays no
     * other future. This method is for mailboxes with {@link Overflow#BLOCK} or {@link Overflow#FAIL}. With a policy
     * that drops messages, the future is always complete: use {@link #tell}.
     *
     * <p>A dependent stage that is not asynchronous may run on the thread of the actor, between two messages, so it
     * must not block. A handler must not wait for room in its own mailbox; cycles of such waits are not detected. To
     * give up, complete or cancel the future.
     */
    CompletableFuture<@Nullable Void> whenWritable();

    /**
     * Returns the number of waiting messages, excluding the message being handled, if the mailbox is
     * {@linkplain ActorBuilder#bounded bounded} or has a {@linkplain ActorBuilder#priority priority}. The value is a
     * snapshot. Other mailboxes do not count their messages, and the result is empty.
     */
    OptionalInt mailboxSize();

    /** The same as {@link #tell}. */
    default void sendMessage(M message) {
        tell(message);
    }

    /**
     * Runs a task inside the actor, as if it were a message: after the messages sent before it, and serialized with
     * other handlers. An exception of the task is a failure of the behavior. In a bounded mailbox, the task counts as a
     * message.
     *
     * @throws NullPointerException if the task is null
     * @throws ActorStoppedException if the actor has been stopped; the task is not run
     * @throws MailboxFullException if the mailbox is full and its policy is {@link Overflow#FAIL}, or it is
     *     {@link Overflow#BLOCK} and the wait for room would be a deadlock
     * @throws ActorInterruptedException if the thread is interrupted while it waits for room
     */
    @Override
    void execute(Runnable task);

    /**
     * Returns the name of the actor in logs and exceptions: the name given to the builder, which is unique in its
     * system; otherwise the label; otherwise a generated name.
     */
    String name();

    /**
     * Stops the actor after the messages that it has accepted: {@code stop(StopMode.DRAIN)}. Does not wait. Accepted
     * messages include the messages of one-shot {@linkplain ActorContext#after timers} and of
     * {@linkplain ActorContext#pipeToSelf stages}, and messages that the actor sends to itself while it drains. An
     * actor that keeps sending messages to itself ends only by a deadline or a harder mode.
     */
    default void stop() {
        stop(StopMode.DRAIN);
    }

    /**
     * Stops the actor and its children with the given mode. Does not wait. If the actor is already stopping, a harder
     * mode replaces the previous one. A repeated {@link StopMode#INTERRUPT} interrupts the running handler again, in
     * case it has ignored the first interrupt. Any other call has no effect.
     */
    void stop(StopMode mode);

    /**
     * Stops the actor, with harder modes if it does not end in time. Does not wait. Accepted messages are handled until
     * the deadline. Messages that still wait then are discarded; one second later the running handler is interrupted.
     * If the handler has not returned after one more second, its stack is logged, and the actor ends when the handler
     * returns. The steps are the same as in {@link #close(Duration)}, but no thread waits, and they also take place if
     * this method is called from inside the actor. A deadline of zero discards at once.
     *
     * <p>If there are several calls, or a concurrent {@code close}, the earliest deadline applies.
     *
     * @return the future of {@link #exit()}; a handler of the actor must not wait for it
     * @throws IllegalArgumentException if the deadline is negative
     */
    CompletableFuture<ActorExit> stop(Duration deadline);

    /**
     * Stops the actor and waits until it has ended: {@code close(Duration.ofSeconds(10))}.
     *
     * @see #close(Duration)
     */
    @Override
    default void close() {
        close(Duration.ofSeconds(10));
    }

    /**
     * Stops the actor and waits until it has ended. Accepted messages are handled until the deadline. Messages that
     * still wait then are discarded; one second later the running handler is interrupted. If the handler has not
     * returned after one more second, the call gives up: it logs the handler's stack and returns false. The actor then
     * ends when its handler returns. A repeated call waits and interrupts in the same way.
     *
     * <p>If the calling thread is interrupted, the running handler is interrupted at once; the call waits for at most
     * one more second and restores the interrupt status before it returns. If the caller is another actor, the call
     * does not wait after the interrupt, since the two actors might be closing each other.
     *
     * <p>Called from inside the actor's own behavior or a child's, it stops the actor and does not wait.
     *
     * @return whether the actor has ended in order; also false if the call has given up a stage of
     *     {@link ActorContext#pipeToSelf} that had not completed at the deadline, which it logs
     * @throws IllegalArgumentException if the deadline is negative
     */
    boolean close(Duration deadline);

    /**
     * Returns a future that completes when the actor has ended: after its last message, its stop hooks, and the
     * resources of {@link #closeOnExit}. It never fails; the {@link ActorExit} contains the reason of the end. Each
     * call returns a new future, to which the actor refers until it ends. To poll, keep one future.
     *
     * <p>A dependent stage that is not asynchronous runs on the thread that ends the actor, so it must not block. An
     * exception of such a stage completes only its own future, as with every {@link CompletableFuture}: it affects
     * neither the actor nor other stages, and is not logged.
     */
    CompletableFuture<ActorExit> exit();

    /**
     * Waits until the actor has ended. Does not stop the actor.
     *
     * @throws ActorInterruptedException if the thread is interrupted while it waits
     * @throws IllegalStateException if called from inside the actor's own behavior or a child's, or if the wait would
     *     complete a cycle of actors that wait for each other: that would be a deadlock
     */
    void waitForExit();

    /**
     * Waits until the actor has ended or the timeout has elapsed. Does not stop the actor.
     *
     * @return whether the actor has ended
     * @throws ActorInterruptedException if the thread is interrupted while it waits
     * @throws IllegalStateException if called from inside the actor's own behavior or a child's: that would be a
     *     deadlock
     */
    boolean waitForExit(Duration timeout);

    /**
     * Closes resources when this actor ends, in the given order, before {@link #exit} completes; immediately if this
     * actor has already ended. A resource that is an actor is stopped without waiting for its end. An exception of a
     * resource is logged.
     *
     * @return this actor
     */
    Actor<M> closeOnExit(AutoCloseable... resources);
}
