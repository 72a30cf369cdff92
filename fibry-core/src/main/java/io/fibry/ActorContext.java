package io.fibry;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a behavior sees of its own actor. It is handed to the behaviors that ask for it, and to the factories of behaviors. Any
 * thread may call {@link #self}, {@link #system}, {@link #spawn}, and what has to do with other actors and with timers, at any
 * time; once the actor has ended, a watch or a link has no effect. The others are for the behavior itself, while it handles a
 * message; elsewhere they throw {@link IllegalStateException}.
 *
 * {@snippet class = "FailureSnippets" region = "context"}
 *
 * @param <M> the type of the actor's messages
 */
public interface ActorContext<M> {

    /** The actor itself, for instance to give others an address for their replies. */
    Actor<M> self();

    /** The system that the actor belongs to. */
    ActorSystem system();

    /**
     * A builder of children: actors that are stopped with this one, and end before it does. They run on the default strategy
     * of their system unless told otherwise, whatever this one runs on.
     */
    ActorBuilder<Object> spawn();

    // ---- the end of others

    /**
     * Runs code inside this actor when another one has ended, exactly once, also if it has ended already. The code comes in order with
     * this actor's messages, but before those that wait in a mailbox with a limit or a priority. It is no message itself, and its
     * exceptions are treated as a behavior's. Watching the same actor again
     * replaces the code. If this actor is stopped or restarted first, the code does not run.
     *
     * @throws IllegalArgumentException if the other one is this actor, or no actor of this library
     */
    void watch(Actor<?> other, Consumer<? super ActorExit> then);

    /** Ends a watch. Called from inside this actor, the code does not run afterwards, even if the other has ended already. */
    void unwatch(Actor<?> other);

    /**
     * Ties two actors together: when one has ended, the other is stopped; as failed and with the same cause if the one has failed, else
     * with {@link StopMode#DRAIN}. If the other has ended already, this actor is stopped at once.
     *
     * @throws IllegalArgumentException if the other one is this actor, or no actor of this library
     */
    void link(Actor<?> other);

    /** Unties two actors. */
    void unlink(Actor<?> other);

    // ---- time

    /**
     * Handles a message after a delay, at once if that is not positive. It comes in order with the messages that have arrived until then, but before those that wait
     * in a mailbox with a limit or a priority; no limit refuses it, and no counter counts it. A reply to it goes nowhere.
     *
     * @throws ActorStoppedException if the actor has ended
     */
    ActorTimer after(Duration delay, M message);

    /**
     * Handles a message again and again, at a fixed rate, the first time after one period. At most one such message of a timer waits at
     * a time: one that comes due while another waits is left out.
     *
     * @throws IllegalArgumentException if the period is not positive
     * @throws ActorStoppedException if the actor has ended
     */
    ActorTimer every(Duration period, M message);

    /**
     * Handles a message whenever this actor has handled no other for that time: no {@code tell}, no {@code ask} and no code for
     * {@link Actor#execute}. Messages of its own timers, and those of {@link #pipeToSelf}, do not count. It comes again after each
     * further period without messages, until it is cancelled. A new receive timeout replaces the one before. It is no message that
     * {@link #stash} can put aside.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     * @throws ActorStoppedException if the actor has ended
     */
    ActorTimer receiveTimeout(Duration timeout, M message);

    // ---- results from elsewhere

    /**
     * Handles a message made of the result of a stage, when the stage has completed. Use it to ask another actor without waiting. Code
     * in {@code thenAccept} runs on the thread that completes the stage, beside this actor's handlers, and must not touch its state;
     * the function given here runs inside this actor.
     *
     * {@snippet class = "AskSnippets" region = "pipeToSelf"}
     *
     * <p>The message comes in order with those that have arrived until then, but before those that wait in a mailbox with a limit
     * or a priority; no limit refuses it, and no counter counts it. What the function throws is a failure of the behavior. A reply to
     * the message goes nowhere.
     *
     * <p>An actor that drains waits for its open stages, so give them a timeout. With a harder stop their results are forgotten.
     * They survive a restart.
     *
     * @param message gets the value, which is null if the stage has failed, and the failure, which is null if it has not. A
     *     {@link java.util.concurrent.CompletionException} is unwrapped
     * @throws ActorStoppedException if the actor has ended
     */
    <T extends @Nullable Object> void pipeToSelf(
            CompletionStage<T> stage, BiFunction<@Nullable T, @Nullable Throwable, M> message);

    // ---- the messages

    /**
     * Puts the message at work aside. It is not handled yet, and if somebody asked it, the reply has to wait. If the actor ends first,
     * the message is a dead letter.
     *
     * @throws MailboxFullException if there are too many already; see {@link ActorBuilder#stashLimit}
     */
    void stash();

    /** Handles the messages that were put aside next, in the order in which they came, before those that wait. */
    void unstashAll();

    /**
     * Handles the next messages in another way, until a restart.
     *
     * @throws IllegalStateException if no message is at work, or this actor replies: see {@link ReplyContext#becomeWithReturn}
     */
    void become(ThrowingConsumer<M> behavior);

    /**
     * Takes the first message that fits out of the mailbox, and waits for it if there is none; the other messages stay there in their
     * order. Asks, code for {@link Actor#execute} and the messages of timers are left there too, since they need the behavior. The wait blocks the
     * thread, as everything that a behavior waits for.
     *
     * @return the message; empty if none came in time, or if the actor has been stopped and none can come any more
     * @throws ActorInterruptedException if the actor is interrupted while it waits
     */
    Optional<M> receive(Predicate<? super M> wanted, Duration timeout);
}
