package io.fibry;

import io.fibry.dispatch.Durations;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An actor as seen by its own behavior. It is passed to the factory of the behavior: see
 * {@link ActorBuilder#newActorFrom}.
 *
 * <p>Any thread may call {@link #self}, {@link #system}, {@link #spawn}, and the methods for other actors, timers and
 * stages, at any time; once this actor has ended, a watch or a link has no effect. The methods for messages are
 * reserved for the behavior while it handles a message. At other times they throw {@link IllegalStateException}.
 *
 * {@snippet class = "FailureSnippets" region = "context"}
 *
 * @param <M> the type of the actor's messages
 */
public interface ActorContext<M> {

    /** Returns the actor itself, for instance as an address for other actors. */
    Actor<M> self();

    /** Returns the system of the actor. */
    ActorSystem system();

    /**
     * Returns a builder of children: actors that are stopped with this one, and end before it does. They use the
     * system's default strategy unless another one is set, regardless of the strategy of this actor.
     */
    ActorBuilder<Object> spawn();

    // ---- watches and links

    /**
     * Runs code inside this actor, once, when another actor has ended; also if the other actor has already ended. The
     * code runs after the messages that have arrived before, but before the messages in a mailbox with a limit or a
     * priority. An exception of the code is a failure of the behavior. A second watch of the same actor replaces the
     * code. If this actor is stopped or restarted first, the code does not run.
     *
     * @throws IllegalArgumentException if the other actor is this one, or not one of this library
     */
    void watch(Actor<?> other, Consumer<? super ActorExit> then);

    /**
     * Ends a watch. If called from inside this actor, the code does not run afterwards, even if the other actor has
     * ended.
     */
    void unwatch(Actor<?> other);

    /**
     * Links this actor and another one: when one of them ends, the other one ends too. If the former has failed, the
     * latter fails with the same cause; otherwise it is stopped with {@link StopMode#DRAIN}. If the other actor has
     * already ended, this takes effect immediately.
     *
     * @throws IllegalArgumentException if the other actor is this one, or not one of this library
     */
    void link(Actor<?> other);

    /** Removes a link. Does not undo the effect of an actor that has already ended. */
    void unlink(Actor<?> other);

    // ---- time

    /**
     * Handles a message after a delay; immediately if the delay is zero. When the delay is over, the message is queued
     * behind the messages that have arrived, but before the messages in a mailbox with a limit or a priority. No limit
     * refuses it, and it counts under {@link HandledMessages#timers}. A reply to it is discarded.
     *
     * <p>A draining actor waits for the message, as for one in its mailbox: indefinitely after {@link Actor#stop()},
     * and at most until the deadline of a {@code stop} or a {@code close} that has one. A message that is due after
     * that deadline is dropped at once. A dropped message becomes a {@linkplain DeadLetter dead letter}. Call
     * {@link ActorTimer#cancelOnStop} for a timeout, and for any other message that is not needed once the actor stops.
     *
     * @throws IllegalArgumentException if the delay is negative
     * @throws ActorStoppedException if the actor has ended
     */
    ActorTimer after(Duration delay, M message);

    /**
     * Handles a message at a fixed rate, the first time after one period. If the previous message of the timer has not
     * been handled yet, the next one is skipped. The metric {@code fibry.ticks.missed} counts skipped messages.
     *
     * @throws IllegalArgumentException if the period is not positive
     * @throws ActorStoppedException if the actor has ended
     */
    ActorTimer every(Duration period, M message);

    /**
     * Handles a message whenever this actor has handled no other message for the given time: no {@code tell}, no
     * {@code ask} and no code for {@link Actor#execute}. Messages of this actor's timers and of {@link #pipeToSelf} do
     * not count. The timeout repeats after each further period without messages, until the timer is cancelled. A new
     * receive timeout replaces the previous one. The message cannot be {@linkplain #stash stashed}.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     * @throws ActorStoppedException if the actor has ended
     */
    ActorTimer receiveTimeout(Duration timeout, M message);

    /**
     * Pauses the calling thread, as {@link Thread#sleep(Duration)} does: the handler goes on afterwards, and the next
     * messages wait. In a test with the {@code TestSystem} of the module {@code fibry-test}, the pause follows the
     * virtual time. Other actors run meanwhile. To handle other messages during a delay, use {@link #after} instead.
     *
     * {@snippet class = "ActorSnippets" region = "pause"}
     *
     * @throws IllegalArgumentException if the duration is negative
     * @throws InterruptedException if the thread is interrupted before or during the pause, for instance by
     *     {@link StopMode#INTERRUPT}; its interrupt status is then cleared
     */
    default void pause(Duration duration) throws InterruptedException {
        Time.sleep(Durations.notNegative("duration", duration));
    }

    // ---- results from elsewhere

    /**
     * Handles a message made from the result of a stage, when the stage has completed. Use it to ask another actor
     * without waiting. Code in {@code thenAccept} runs on the thread that completes the stage, concurrently with this
     * actor's handlers, and must not access its state; the function given here runs inside this actor.
     *
     * {@snippet class = "AskSnippets" region = "pipeToSelf"}
     *
     * <p>When the stage completes, the message is queued behind the messages that have arrived, but before the messages
     * in a mailbox with a limit or a priority. No limit refuses it, and it counts under {@link HandledMessages#piped}.
     * An exception of the function is a failure of the behavior. A reply to the message is discarded.
     *
     * <p>A draining actor waits for its open stages, so give each stage a timeout. A harder stop discards their
     * results; a restart does not. A {@code close} that gives up an open stage logs it and returns false.
     *
     * @param message receives the value, which is null if the stage has failed, and the failure, which is null if it
     *     has not. A {@link java.util.concurrent.CompletionException} is unwrapped
     * @throws ActorStoppedException if the actor has ended
     */
    <T extends @Nullable Object> void pipeToSelf(
            CompletionStage<T> stage, BiFunction<@Nullable T, @Nullable Throwable, M> message);

    // ---- the messages

    /**
     * Stashes the current message: it is handled again after {@link #unstash} or {@link #unstashAll}. If it is an ask,
     * its reply is deferred until then, also if the behavior throws afterwards. If the actor ends first, the message
     * becomes a dead letter.
     *
     * @throws MailboxFullException if the stash is full; see {@link ActorBuilder#stashLimit}
     * @throws IllegalStateException if the actor is not handling a message, if the message was stashed before, or if it
     *     is an ask whose reply is {@linkplain ReplyContext#deferReply deferred} and not yet given
     */
    void stash();

    /**
     * Handles the oldest stashed messages next, in the order in which they were stashed, before the messages in the
     * mailbox. The other stashed messages stay in the stash. Another call during the same message adds further messages
     * after these.
     *
     * @param count the maximum number of messages
     * @throws IllegalArgumentException if the number is negative
     */
    void unstash(int count);

    /** As {@link #unstash}, for all stashed messages. */
    void unstashAll();

    /**
     * Replaces the behavior, from the next message until a restart or another call.
     *
     * @throws IllegalStateException if the actor is not handling a message, or if it replies: see
     *     {@link ReplyContext#becomeWithReturn}
     */
    void become(ThrowingConsumer<M> behavior);

    /**
     * Removes the first message that matches from the mailbox, and waits for one if there is none. The other messages
     * stay in their order. Asks, code for {@link Actor#execute}, messages of timers and results of {@link #pipeToSelf}
     * stay too, because only the behavior can handle them.
     *
     * @return the message; empty if none arrived in time, or if the actor has been stopped and no match is left
     * @throws IllegalArgumentException if the timeout is negative
     * @throws ActorInterruptedException if the actor is interrupted while it waits
     */
    Optional<M> receive(Predicate<? super M> wanted, Duration timeout);
}
