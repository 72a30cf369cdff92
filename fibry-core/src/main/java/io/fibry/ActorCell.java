package io.fibry;

import io.fibry.dispatch.Dispatcher;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.Runner;
import io.fibry.dispatch.Schedulable;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An actor at work: it takes messages and handles them in turns, run by whoever holds the consumer's role (see
 * {@link Mailbox}), until its end. A subclass adds the behavior.
 *
 * <p>All that an idle actor costs are the fields of this class, its superclasses and its subclass: 48 bytes on a 64-bit JVM
 * with compressed references.
 */
abstract class ActorCell<M> extends ActorState<M> {

    /** Instead of what is left of a batch. */
    private static final int TURN_ENDED = -1;

    /** Messages in a turn; more does not make it faster, and others wait for it. */
    static final int BATCH = 64;

    final ActorKind kind;

    /** Messages whose behavior has returned or thrown. Written by the consumer; for others a hint. */
    private long handled;

    ActorCell(ActorKind kind) {
        this.kind = kind;
    }

    /** The actor behind a handle. */
    static ActorCell<?> of(Actor<?> handle) {
        return switch (ForwardingActor.unwrapped(Objects.requireNonNull(handle, "actor"))) {
            case ActorCell<?> cell -> cell;
            case ExpectedActor<?> expected ->
                throw new IllegalArgumentException(
                        "actor " + expected + " does not exist yet, and can only be told things");
            default -> throw new IllegalArgumentException("not an actor of this library: " + handle.getClass());
        };
    }

    /** The actor that a dispatcher was given: there is no other kind of {@link Schedulable} in a system. */
    static ActorCell<?> behind(Schedulable actor) {
        return (ActorCell<?>) actor;
    }

    /** Handles a message whose sender waits for the result. */
    @Nullable
    Object answer(M message) throws Exception {
        throw new IllegalStateException("this actor does not reply");
    }

    // ---- sending

    @Override
    public final <R extends @Nullable Object> CompletableFuture<R> ask(
            Function<ReplyTo<R>, M> message, Duration timeout) {
        var reply = new Reply.InMessage<R>();
        return Asks.send(this, message.apply(reply), reply, timeout);
    }

    @Override
    public final void tell(M message) {
        send(new Envelope(Objects.requireNonNull(message, "message"), null));
    }

    @Override
    public final void execute(Runnable task) {
        send(new Envelope(Objects.requireNonNull(task, "task"), Reply.OF_TASK));
    }

    @Override
    public final boolean tryTell(M message) {
        var envelope = new Envelope(Objects.requireNonNull(message, "message"), null);
        WaitingRoom room = room();
        if (room != null && room.spec().overflow() != Overflow.DROP_OLDEST) { // which makes room
            WaitingRoom.Outcome outcome = Admission.put(this, room, envelope);
            if (outcome != WaitingRoom.Outcome.CLOSED) {
                return outcome != WaitingRoom.Outcome.FULL;
            }
        }
        send(envelope);
        return true;
    }

    @Override
    public final int mailboxSize() {
        WaitingRoom room = room();
        if (room == null) {
            throw new UnsupportedOperationException(
                    "only a mailbox with a limit is counted; make actor " + name() + " with bounded(..)");
        }
        return room.size();
    }

    final void send(Envelope envelope) {
        RejectedExecutionException refusal = trySend(envelope);
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Sends a message; null if it was accepted, or dropped as the mailbox's policy says. */
    final @Nullable RejectedExecutionException trySend(Envelope envelope) {
        WaitingRoom room = room();
        RejectedExecutionException refusal;
        if (room != null) {
            refusal = Admission.admit(this, room, envelope);
        } else {
            refusal = offer(envelope) ? null : stopped();
        }
        if (refusal instanceof ActorStoppedException && acceptFromChild(envelope)) {
            return null;
        }
        if (refusal != null) {
            kind.system().counts().refused.increment();
        }
        return refusal;
    }

    /** A draining actor takes what its descendants send. */
    private boolean acceptFromChild(Envelope envelope) {
        return !discards() && ChildMessages.accept(this, kind.system().currentActors(), envelope);
    }

    /** Takes a message that was kept for this actor, whatever its limit; false if it has been stopped. */
    final boolean accept(Envelope envelope) {
        WaitingRoom room = room();
        if (room == null) {
            return offer(envelope);
        }
        boolean accepted = room.addInAnyCase(envelope);
        wakeUp();
        return accepted;
    }

    @Override
    void ready() {
        kind.dispatcher().ready(this);
    }

    @Override
    final Registry registry() {
        return kind.system().registry();
    }

    @Override
    public final Dispatcher dispatcher() {
        return kind.dispatcher();
    }

    // ---- handling

    @Override
    public final boolean runTurn(Runner r, @Nullable Future<?> awaited) {
        announce(r);
        if (pauseConcernsTurn() && !Restarts.mayGoOn(this, r)) {
            return false;
        }
        int left = BATCH;
        while (true) {
            boolean allAccepted = isClosed(); // before the taking: then what is not there will never come
            Envelope next = takeNext();
            if (next != null) {
                left = handleTaken(r, next, left, awaited);
                if (left == TURN_ENDED) {
                    return true;
                }
            } else if (allAccepted) {
                return hasMoreAfterLast(r, awaited);
            } else if (withdrawIfIdle(r)) {
                return false;
            }
        }
    }

    /** Handles the messages in hand; what is left of the batch, or {@link #TURN_ENDED} if others have to run first. */
    private int handleTaken(Runner r, Envelope first, int batch, @Nullable Future<?> awaited) {
        r.takes(handled);
        if (kind.system().isClosed()) { // after the announcement: who closes the system looks the other way round
            stop(StopMode.DISCARD);
        }
        boolean closed = isClosed(); // after the taking: who closes later finds the runner
        Envelope next = closed && discardsNow()
                ? DeadLetters.discard(this, kind.system().counts(), first)
                : first;
        int left = batch;
        while (next != null) {
            if (left-- == 0) {
                return endTurn(r, next);
            }
            handle(r, next);
            next = next.next;
            if (next != null && next.isAsk()) {
                reach(next);
                r.takes(handled);
            }
            if (closed || r.attentionWanted()) {
                if (pauseConcernsTurn()) {
                    return endTurn(r, next); // the next turn sees to it
                }
                if (next != null && discards()) {
                    next = DeadLetters.discard(this, kind.system().counts(), next);
                }
            }
            if (awaited != null && awaited.isDone()) {
                left = 0; // what comes next may have to wait for the one who has waited until now
            }
        }
        putBack(null);
        return left;
    }

    private boolean discardsNow() {
        // StoreLoad fence: the turn was announced before every look at the lifecycle, so a harder stop finds the
        // runner.
        VarHandle.fullFence();
        return discards();
    }

    private int endTurn(Runner r, @Nullable Envelope leftOver) {
        putBack(leftOver);
        withdraw(r);
        return TURN_ENDED;
    }

    /** The mailbox is closed and empty: whether another turn has to follow. */
    private boolean hasMoreAfterLast(Runner r, @Nullable Future<?> awaited) {
        if (awaited != null) { // hooks are not what the one who waits has asked for
            withdraw(r);
            return true;
        }
        return !LastTurn.endsOrWaits(this, r);
    }

    private @Nullable Envelope takeNext() {
        Envelope next = takeAll();
        if (next != null) {
            return next;
        }
        WaitingRoom room = room();
        next = room == null ? null : room.poll();
        if (next == null && isClosed()) {
            next = lifecycle().childMessages.poll();
        }
        return next == null ? null : inHand(next);
    }

    /** Handles a message. What has to happen around the behavior is in the subclasses. */
    @SuppressWarnings("unchecked")
    void handle(Runner r, Envelope envelope) {
        Reply<?> reply = envelope.reply;
        try {
            if (reply == null) {
                receive((M) envelope.message);
            } else if (reply == Reply.OF_TASK) {
                run(envelope.message);
            } else if (reply == Reply.OF_SIGNAL) {
                handledNot(r);
                ((Signal) envelope.message).deliver(r);
            } else if (reply.isDone()) { // the asker has given up
                handledNot(r);
                kind.system().counts().dropped.increment();
            } else if (reply.isInMessage()) {
                receive((M) envelope.message);
                deferUnlessReplied(reply);
            } else {
                Object result = answer((M) envelope.message);
                if (result != Reply.NOT_YET) {
                    ((Reply<@Nullable Object>) reply).complete(result);
                }
            }
        } catch (Throwable t) {
            Failures.of(this, r, envelope, t);
        }
        handled++;
        Thread.interrupted(); // an interrupt belongs to one message
    }

    /** Runs code that was given to {@link #execute}. */
    void run(Object task) throws Exception {
        ((Runnable) task).run();
    }

    /** A message whose reply may come later has been handled. Consumer only. */
    private void deferUnlessReplied(Reply<?> reply) {
        CellContext<M, ?> context = context();
        if (!reply.isDone() && (context == null || !context.isStashed())) {
            lifecycle().deferred().add(reply);
        }
    }

    /** The message at work does not count as handled after all. Consumer only. */
    final void handledNot(Runner r) {
        handled--;
        r.shiftHandledAtHand(-1);
    }

    /** A message was handled inside the handler of another, and is not in hand any more. Consumer only. */
    final void handledToo(Runner r) {
        handled++;
        r.shiftHandledAtHand(1);
    }

    @Override
    public final long handled() {
        return handled;
    }

    // ---- what only actors with a context have

    /** What the behavior sees of its actor, if it sees anything. */
    @Nullable
    CellContext<M, ?> context() {
        return null;
    }

    @Override
    final boolean awaitsSomething() {
        CellContext<M, ?> context = context();
        return context != null && context.awaitsSomething();
    }

    /** Whether {@link #makeBehavior} may be called more than once. */
    final boolean isRestartable() {
        return context() != null;
    }

    /** Makes the behavior, also for a restart. By the holder of the consumer's role; only for an actor with a context. */
    final void makeBehavior() {
        Lifecycle l = lifecycleIfAny();
        if (l != null) { // the first time there is none, unless an option needs it
            l.failDeferred(
                    () -> new ActorStoppedException("actor " + name() + " has been restarted before it replied", null));
        }
        Objects.requireNonNull(context(), "no behavior to make").makeBehavior();
    }

    /** Makes the first behavior, and lets the actor go. By its maker, who has the consumer's role until then. */
    final void start() {
        try {
            makeBehavior();
        } catch (Throwable t) {
            fail(t);
            kind.system().freeName(this); // the maker may try again before this one has ended
            throw t;
        } finally {
            letGo();
        }
    }

    /** Gives up the consumer's role, or passes it on if there is something to do. */
    final void letGo() {
        if (!becomeIdle()) {
            ready();
        }
    }

    // ---- stopping and waiting

    @Override
    public final void stop(StopMode mode) {
        Stopping.stop(this, Objects.requireNonNull(mode, "mode"));
    }

    @Override
    public final boolean close(Duration deadline) {
        return Stopping.close(this, Objects.requireNonNull(deadline, "deadline"));
    }

    @Override
    public final void waitForExit() {
        waitForExit(Durations.FOREVER);
    }

    @Override
    public final boolean waitForExit(Duration timeout) {
        return Stopping.waitForExit(this, Objects.requireNonNull(timeout, "timeout"));
    }

    /** Stops the children when the actor has handled its last message. They may have to be waited for. */
    void stopChildren(List<ActorState<?>> children, StopMode mode) {
        children.forEach(child -> child.stop(mode));
    }
}
