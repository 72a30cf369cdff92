package io.fibry;

import java.time.Duration;
import java.util.List;
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
 * <p><b>Order.</b> Messages of one sender to one actor are handled in the order in which they were sent. Handlers of one
 * actor never overlap.
 *
 * <p><b>Memory consistency.</b> Actions of a thread before it sends a message <i>happen-before</i> the handling of that
 * message, and the handling of a message <i>happens-before</i> the handling of the next one, whichever threads do it. So
 * a behavior may keep plain state. It must not keep it in thread-locals: the thread may change from message to message.
 *
 * <p><b>Failure.</b> An exception of a behavior goes to the asker. If the message was no ask, it is logged with the actor's name,
 * at most once a second for each actor. Then the actor's {@link Supervision} decides; by default the actor handles its next
 * message. An {@link Error} that goes to the log also goes to the
 * {@linkplain Thread#getDefaultUncaughtExceptionHandler() default uncaught exception handler}, if there is one.
 *
 * <p><b>End.</b> An actor ends when it is stopped. From the moment of the stop it refuses every new message; messages accepted
 * before are handled, or become dead letters if the {@link StopMode} says so. A busy actor keeps the JVM alive, an idle one does
 * not. An idle actor uses no thread, and is garbage when no reference to it is left.
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
     * Sends a message if the mailbox has room for it. It never waits. A mailbox without a limit always has room, and so has one
     * with {@link Overflow#DROP_OLDEST}.
     *
     * @return whether the message was accepted
     * @throws NullPointerException if the message is null
     * @throws ActorStoppedException if the actor has been stopped
     */
    boolean tryTell(M message);

    /**
     * Sends several messages at once: they are handled one after the other, in their order, without a message of another sender in
     * between. Only a {@linkplain ActorBuilder#priority priority} may order them in another way. Either all are accepted, or none
     * is. An empty list has no effect.
     *
     * {@snippet class = "ActorSnippets" region = "tellAll"}
     *
     * <p>It never waits. If a bounded mailbox has no room for all, {@link Overflow#BLOCK} and {@link Overflow#FAIL} refuse them,
     * {@link Overflow#DROP_NEWEST} drops all of them, and {@link Overflow#DROP_OLDEST} drops as many others as necessary.
     *
     * @throws NullPointerException if the list or a message is null
     * @throws ActorStoppedException if the actor has been stopped
     * @throws MailboxFullException if the mailbox has not enough room and its policy is {@link Overflow#BLOCK} or {@link Overflow#FAIL}
     * @throws IllegalArgumentException if there are more messages than the limit of the mailbox
     */
    void tellAll(List<? extends M> messages);

    /**
     * Sends a message that carries the address for its reply, and returns at once. So each type of message has a reply type of
     * its own, checked by the compiler. If the mailbox is full and its policy is {@link Overflow#BLOCK}, it waits for room, but
     * not longer than the timeout.
     *
     * {@snippet class = "AskSnippets" region = "replyTo"}
     *
     * <p>The future always completes: with the first reply or failure given to the {@link ReplyTo}; with what the behavior threw
     * while it handled the message; with {@link AskTimeoutException} after the timeout, counted from this call; with
     * {@link MailboxFullException} if a full mailbox refuses or drops the message, as its {@link Overflow} policy says; and with
     * {@link ActorStoppedException} as soon as it is clear that this actor will not reply: it has been stopped before it handled
     * the message, or it has ended or was restarted before there was a reply. That also holds if the actor passed the
     * {@code ReplyTo} on.
     *
     * <p>{@link Overflow#BLOCK} refuses the message only if the wait for room would be a deadlock. {@link Overflow#DROP_OLDEST}
     * always accepts it, but may drop it later.
     *
     * <p>A failure that completes the future is not logged, even if nothing reads the future: check it, or use {@link Actor#tell},
     * whose failures are logged. {@link ActorSystem#onIncident} gets every failure. A failure that comes after the future has
     * completed, for instance by a timeout or a cancellation, is logged.
     *
     * @param message makes the message; called once, by this thread
     * @throws NullPointerException if an argument or the message is null
     * @throws IllegalArgumentException if the timeout is negative
     * @throws ActorInterruptedException if the thread is interrupted while it waits for room
     */
    <R extends @Nullable Object> CompletableFuture<R> ask(Function<ReplyTo<R>, M> message, Duration timeout);

    /**
     * As {@link #ask(Function, Duration)}, and waits for the reply. A wait with a timeout never runs the actor in place, as {@link
     * ReplyActor#call(Object)} may.
     *
     * @return the reply
     * @throws AskTimeoutException if there is no reply in time
     * @throws MailboxFullException if a full mailbox refused or dropped the message; see {@link #ask(Function, Duration)}
     * @throws ActorStoppedException if the actor will not reply because it has been stopped, has ended or was restarted
     * @throws ActorInterruptedException if the thread is interrupted while it waits; the ask is then cancelled
     * @throws Exception what the behavior threw, or what was given to {@link ReplyTo#fail}
     */
    default <R extends @Nullable Object> R call(Function<ReplyTo<R>, M> message, Duration timeout) throws Exception {
        return DirectCall.await(ask(message, timeout));
    }

    /**
     * Waits for room in a full mailbox without a thread: the future completes when the mailbox may have room, at once if it has room or no
     * limit. It fails with {@link ActorStoppedException} when the actor is stopped, also if it has been stopped already. Others may be
     * faster, so a {@link #tryTell} after it may still find the mailbox full; then ask for another future.
     *
     * {@snippet class = "ActorSnippets" region = "room"}
     *
     * <p>When room appears, the one that waits longest is told first, and then the others, as long as there is room: whoever does not use it
     * keeps nobody waiting. For a mailbox with {@link Overflow#BLOCK} or {@link Overflow#FAIL}. One that drops messages accepts them by
     * that, and its future is always complete: send with {@link #tell}.
     *
     * <p>A dependent stage that is not asynchronous may run on the thread of the actor, between two messages, so it must not block. A
     * handler must not wait for room in its own mailbox, and no circle of such waits is found. To give up, complete the future, or cancel it.
     */
    CompletableFuture<@Nullable Void> room();

    /**
     * The number of messages that wait in a mailbox that is {@linkplain ActorBuilder#bounded bounded} or has a
     * {@linkplain ActorBuilder#priority priority}, without the one in work. A snapshot: it may change at once.
     *
     * @throws UnsupportedOperationException if the mailbox has neither a limit nor a priority
     */
    int mailboxSize();

    /** The same as {@link #tell}. */
    default void sendMessage(M message) {
        tell(message);
    }

    /**
     * Runs code inside the actor, as if it were a message: after the messages sent before it, and never at the same time as
     * another handler. An exception is treated like a behavior's. A bounded mailbox counts it as a message.
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
     * The name of the actor in logs and exceptions: the name that was given to the builder, which is unique in its system; else
     * the label; else a generated name.
     */
    String name();

    /**
     * Stops the actor after the messages that it has accepted: {@code stop(StopMode.DRAIN)}. Does not wait. The
     * messages of its one-shot {@linkplain ActorContext#after timers} and of its
     * {@linkplain ActorContext#pipeToSelf stages} are among them, and so are messages that the actor sends to itself
     * meanwhile. An actor whose work never ends by itself therefore needs a deadline or a harder mode.
     */
    default void stop() {
        stop(StopMode.DRAIN);
    }

    /**
     * Stops the actor and its children as the mode says. Does not wait. If the actor is stopping already, a harder mode replaces
     * the one before. {@link StopMode#INTERRUPT} again interrupts the handler at work again, in case it has ignored the first
     * interrupt. Any other call has no effect.
     */
    void stop(StopMode mode);

    /**
     * Stops the actor, and makes the stop harder if it takes too long. Does not wait. Accepted messages are handled until the deadline.
     * Then those that still wait are discarded; a second later the handler at work is interrupted. If it has not returned after one
     * more second, its stack is logged, and the actor ends when it returns. So the steps are those of {@link #close(Duration)}, but
     * no thread waits, and they also come if this is called from inside the actor. A deadline of zero discards at once.
     *
     * <p>Called again, or beside a {@code close}, the earliest deadline holds.
     *
     * @return how the actor ended, as {@link #exit()}; a handler of the actor must not wait for it
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
     * Stops the actor and waits until it has ended. Accepted messages are handled until the deadline. Then those that still wait
     * are discarded; a second later the handler at work is interrupted. If it has not returned after one more second, the call
     * gives up: it logs the handler's stack and returns false. The actor then ends when its handler returns.
     * Called again, it waits and interrupts in the same way.
     *
     * <p>If the calling thread is interrupted, the handler at work is interrupted at once, the call waits for one more second at
     * most, and sets the interrupt status again before it returns. Inside another actor it then does not wait at all, since the
     * two might be closing each other.
     *
     * <p>Called from inside the actor's own behavior or a child's, it stops the actor and does not wait.
     *
     * @return whether the actor has ended in order; false also if the call has given up a stage of {@link ActorContext#pipeToSelf}
     *     that had not completed at the deadline, which it logs
     * @throws IllegalArgumentException if the deadline is negative
     */
    boolean close(Duration deadline);

    /**
     * How the actor ended. The future always completes normally: after the last message, the stop hooks, and the resources of
     * {@link #closeOnExit}. Each call returns a new future, which the actor keeps until it ends. To poll, keep one future.
     *
     * <p>A dependent stage that is not asynchronous runs on the thread that ends the actor, so it must not block. What it throws
     * goes to its own future, as with every {@link CompletableFuture}, and to nobody else: it affects neither the actor nor other
     * stages, and is not logged.
     */
    CompletableFuture<ActorExit> exit();

    /**
     * Waits until the actor has ended. It does not stop the actor.
     *
     * @throws ActorInterruptedException if the thread is interrupted while it waits
     * @throws IllegalStateException if called from inside the actor's own behavior or a child's, or if actors would wait for each
     *     other in a circle: that would be a deadlock
     */
    void waitForExit();

    /**
     * Waits until the actor has ended, but not longer than the timeout. It does not stop the actor.
     *
     * @return whether the actor has ended
     * @throws ActorInterruptedException if the thread is interrupted while it waits
     * @throws IllegalStateException if called from inside the actor's own behavior or a child's: that would be a deadlock
     */
    boolean waitForExit(Duration timeout);

    /**
     * Closes resources when this actor ends, in the given order, before {@link #exit} completes; at once if it has ended already.
     * A resource that is an actor is stopped and not waited for. An exception of a resource is logged.
     *
     * @return this actor
     */
    Actor<M> closeOnExit(AutoCloseable... resources);
}
