package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.DeadLetter;
import io.fibry.ReplyTo;
import io.fibry.StopMode;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Dispatcher;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.ScheduledActor;
import io.fibry.dispatch.StackRoom;
import io.fibry.dispatch.SuspendedHandler;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The running part of an actor: takes messages from the mailbox and handles them in turns, until the actor ends. A turn
 * runs on the thread that holds the consumer's role; see {@link Mailbox}. A subclass adds the behavior.
 *
 * <p>An idle actor occupies only the fields of this class, its superclasses and its subclass: 48 bytes on a 64-bit JVM
 * with compressed references.
 */
abstract class ActorCell<M> extends ActorState<M> {

    /** Returned by {@link #handleTaken} instead of the rest of the batch: another turn has to follow. */
    static final int TURN_ENDED = -1;

    /** As above, but the consumer's role is parked: see {@link SuspendedMessage}. */
    static final int PARKED = -2;

    /** The maximum number of messages in a turn. A larger batch is not faster and delays other actors. */
    static final int BATCH = 64;

    final ActorKind kind;

    /** The number of sent messages that are handled. Written by the consumer; a hint for others. */
    private long handled;

    ActorCell(ActorKind kind) {
        this.kind = kind;
    }

    /** The actor behind a handle. */
    static ActorCell<?> of(Actor<?> handle) {
        return switch (Handles.unwrapped(Objects.requireNonNull(handle, "actor"))) {
            case ActorCell<?> cell -> cell;
            case PlaceholderActor<?> placeholder ->
                throw new IllegalArgumentException(
                        "actor " + LogText.plain(placeholder) + " does not exist yet, and can only receive messages");
            default -> throw new IllegalArgumentException("not an actor of this library: " + handle.getClass());
        };
    }

    /** The actor that was given to a dispatcher. Every {@link ScheduledActor} of a system is an {@code ActorCell}. */
    static ActorCell<?> behind(ScheduledActor actor) {
        return (ActorCell<?>) actor;
    }

    /** Handles a message, and returns its reply or {@link Reply#NOT_YET}. Consumer only. */
    @Nullable
    Object answer(M message) throws Exception {
        throw new IllegalStateException("this actor does not reply");
    }

    // ---- sending

    @Override
    public final <R extends @Nullable Object> CompletableFuture<R> ask(
            Function<ReplyTo<R>, M> message, Duration timeout) {
        Durations.notNegative("timeout", timeout);
        Reply<R> reply = Reply.inMessage(this, captured());
        return AskSender.send(this, message.apply(reply), reply, timeout);
    }

    @Override
    public final void tell(M message) {
        Objects.requireNonNull(message, "message");
        if (Instrumentation.areInUse() || !offerToSegment(message)) { // before the envelope, which it does not need
            send(envelope(message, null));
        }
    }

    @Override
    public final void execute(Runnable task) {
        send(envelope(Objects.requireNonNull(task, "task"), Reply.OF_TASK));
    }

    @Override
    public final boolean tryTell(M message) {
        BoundedMailbox bounded = boundedMailbox();
        if (bounded == null || bounded.spec().alwaysMakesRoom()) {
            tell(message);
            return true;
        }
        return Admission.trySend(this, bounded, envelope(Objects.requireNonNull(message, "message"), null));
    }

    @Override
    public final void tellAll(List<? extends M> messages) {
        Admission.sendAll(this, messages);
    }

    final void send(Envelope envelope) {
        RejectedExecutionException refusal = trySend(envelope);
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Sends a message. Returns null if it was accepted or dropped by the policy, else the sender's exception. */
    final @Nullable RejectedExecutionException trySend(Envelope envelope) {
        BoundedMailbox bounded = boundedMailbox();
        RejectedExecutionException refusal =
                bounded != null ? Admission.admit(this, bounded, envelope) : offer(envelope) ? null : stopped();
        if (refusal != null
                && !ChildMessages.acceptRefused(this, refusal, kind.system()::currentActors, List.of(envelope))) {
            kind.counts().refused.increment();
            ActorStoppedException.noteRefusal(refusal, this);
            return refusal;
        }
        return null;
    }

    /** Accepts a message of a {@link PlaceholderActor}, regardless of the limit. Returns false if stopped. */
    final boolean accept(Envelope envelope) {
        BoundedMailbox bounded = boundedMailbox();
        return bounded == null ? offer(envelope) : Admission.putInAnyCase(this, bounded, envelope);
    }

    @Override
    void ready() {
        kind.dispatcher().ready(this);
    }

    @Override
    final MessageInstruments instruments() {
        return kind.system();
    }

    @Override
    final ActorRegistry registry() {
        return kind.system().registry();
    }

    @Override
    final void countMissedTicks(long ticks) {
        kind.counts().missedTicks.add(ticks);
    }

    @Override
    final void deadLetter(Object message, DeadLetter.Reason why) {
        kind.counts().deadLetter(this, message, why);
    }

    @Override
    public final Dispatcher dispatcher() {
        return kind.dispatcher();
    }

    // ---- handling

    @Override
    public final boolean runTurn(ActorThread r, @Nullable Future<?> awaited) {
        try {
            return turn(r, awaited);
        } catch (Throwable t) {
            return Failures.ofTurn(this, r, t);
        }
    }

    private boolean turn(ActorThread r, @Nullable Future<?> awaited) {
        announce(r);
        int left = hasLeftOver() ? SuspendedTurn.resume(this, r, BATCH, awaited) : BATCH;
        if (left < 0) {
            return left == TURN_ENDED;
        }
        if (pauseConcernsTurn() && !RestartTurn.resume(this, r)) {
            return false;
        }
        while (true) {
            boolean allAccepted = isClosed(); // read before the take: a closed mailbox accepts nothing after it
            Envelope next = takeNext(allAccepted);
            if (next != null) {
                left = handleTaken(r, next, left, awaited);
                if (left < 0) {
                    return left == TURN_ENDED;
                }
            } else if (allAccepted) {
                return LastTurn.hasMore(this, r, awaited);
            } else if (withdrawIfIdle(r)) {
                return false;
            }
        }
    }

    /** Handles the messages in hand. Returns the rest of the batch, {@link #TURN_ENDED} or {@link #PARKED}. */
    private int handleTaken(ActorThread r, Envelope first, int batch, @Nullable Future<?> awaited) {
        r.takes(handled);
        // Read after announce(..). The close of the system sets CLOSED, and then scans the running actors: either this
        // turn sees CLOSED, or the close finds this actor.
        if (kind.system().isClosed()) {
            stop(StopMode.DISCARD);
        }
        boolean closed = isClosed(); // read after the take: a later stop finds the runner
        Envelope next = closed && discardsNow() ? DeadLetters.discard(this, first) : first;
        int left = batch;
        while (next != null) {
            if (left-- == 0) {
                return endTurn(r, next);
            }
            Envelope current = next;
            InstrumentedHandling.handle(this, r, current);
            SuspendedHandler suspended = r.suspended();
            if (suspended != null) {
                return SuspendedTurn.begin(this, r, suspended, current);
            }
            next = current.next;
            if (next != null && next.isReached()) {
                next = reach(next);
                r.takes(handled);
            }
            if (closed || r.attentionWanted()) {
                if (pauseConcernsTurn()) {
                    return endTurn(r, next); // the next turn pauses or restarts
                }
                if (next != null && discards()) {
                    next = DeadLetters.discard(this, next);
                }
            }
            if (r.isSliceOver()) {
                left = 0; // other threads may wait for this processor
            }
            if (awaited != null && awaited.isDone()) {
                left = 0; // the actor below on this stack has its reply: the next handler might wait for that actor
            }
        }
        putBack(null);
        return left;
    }

    private boolean discardsNow() {
        // StoreLoad fence between the store of the runner in announce(..) and the read of the stop mode: either this
        // turn sees a harder stop, or that stop finds the runner.
        VarHandle.fullFence();
        return discards();
    }

    private int endTurn(ActorThread r, @Nullable Envelope leftOver) {
        putBack(leftOver);
        withdraw(r);
        return TURN_ENDED;
    }

    private @Nullable Envelope takeNext(boolean allAccepted) {
        Envelope all = takeAll();
        if (all != null) {
            return all;
        }
        BoundedMailbox bounded = boundedMailbox();
        Envelope next = bounded == null ? null : bounded.poll();
        handled += next != null || bounded == null ? 0 : Holding.countTaken(this, bounded);
        if (next == null && allAccepted) { // else an older message may have come since
            ChildMessages messages = lifecycle().childMessagesIfAny();
            next = messages == null ? null : messages.poll(bounded != null && bounded.isHeld());
        }
        return next == null ? null : inHand(next);
    }

    /** Subclasses with a context override this to maintain the context. */
    @Override
    @SuppressWarnings("unchecked")
    @Nullable
    Throwable handle(ActorThread r, Envelope envelope) {
        Reply<?> reply = envelope.reply;
        Throwable failure = null;
        try {
            if (reply == null) {
                receive((M) envelope.message);
            } else if (reply == Reply.OF_TASK) {
                run(envelope.message);
            } else if (reply == Reply.OF_SIGNAL) {
                uncount(r);
                ((Signal) envelope.message).deliver(r);
            } else if (reply.isDone()) { // cancelled or timed out
                uncount(r);
                kind.counts().dropped.increment();
            } else if (reply.isInMessage()) {
                receive((M) envelope.message);
                DeferredReplies.addUnlessReplied(this, r, reply);
            } else {
                Object result = answer((M) envelope.message);
                if (result != Reply.NOT_YET) {
                    ((Reply<@Nullable Object>) reply).complete(result);
                }
            }
        } catch (Throwable t) {
            failure = t;
            Failures.of(this, r, envelope, t);
        }
        handled++;
        if (r.suspended() == null) {
            Thread.interrupted(); // an interrupt of this handler must not reach the next one
        }
        return failure;
    }

    @Override
    final void handleFailure(ActorThread r, Envelope envelope, Throwable failure) {
        Failures.of(this, r, envelope, failure);
    }

    /** Runs code that was given to {@link #execute}. */
    void run(Object task) throws Exception {
        ((Runnable) task).run();
    }

    /** Excludes the current message from the count of handled messages. Consumer only. */
    final void uncount(ActorThread r) {
        handled--;
        r.shiftHandledAtHand(-1);
    }

    /** Counts a message that was received inside the handler of another one. Consumer only. */
    final void countInner(ActorThread r) {
        handled++;
        r.shiftHandledAtHand(1);
    }

    @Override
    public final long handled() {
        return handled;
    }

    @Override
    @Nullable
    CellContext<M, ?> context() {
        return null;
    }

    @Override
    final void forEachStashed(Consumer<Envelope> action) {
        CellContext<M, ?> context = context();
        if (context != null) {
            context.forEachStashed(action);
        }
    }

    // ---- stopping and waiting

    @Override
    public final void stop(StopMode mode) {
        StackRoom.require(); // a stop must not be left incomplete
        Stopping.stopOrInterruptAgain(this, Objects.requireNonNull(mode, "mode"));
    }

    @Override
    public final CompletableFuture<ActorExit> stop(Duration deadline) {
        return Stopping.stop(this, Durations.notNegative("deadline", deadline));
    }

    @Override
    final void stopOnce(StopMode mode) {
        Stopping.stop(this, mode);
    }

    @Override
    final void stopAtEnd(StopMode mode) {
        StackRoom.require();
        Stopping.stopAtEnd(this, mode);
    }

    @Override
    public final boolean close(Duration deadline) {
        return Stopping.close(this, Durations.notNegative("deadline", deadline));
    }

    @Override
    public final boolean waitForExit(Duration timeout) {
        return Stopping.waitForExit(this, Durations.notNegative("timeout", timeout));
    }

    /** Stops the children after the actor's last message. May return before they have ended. */
    void stopChildren(List<ActorState<?>> children, StopMode mode) {
        for (ActorState<?> child : children) {
            child.stopAtEnd(mode);
        }
    }
}
