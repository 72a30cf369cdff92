package io.fibry;

import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
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
abstract class ActorCell<M> extends StoppableActor<M> {

    /** Messages in a turn; more does not make it faster, and others wait for it. */
    static final int BATCH = 64;

    /** Messages whose behavior has returned or thrown. Written by the consumer; for others a hint. */
    private long handled;

    ActorCell(ActorKind kind) {
        super(kind);
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

    /** Handles a message that nobody waits for. */
    abstract void receive(M message) throws Exception;

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
        RejectedExecutionException refusal = refusal(envelope);
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Sends a message; null if it was accepted, or dropped as the mailbox's policy says. */
    final @Nullable RejectedExecutionException refusal(Envelope envelope) {
        WaitingRoom room = room();
        RejectedExecutionException refusal;
        if (room != null) {
            refusal = Admission.admit(this, room, envelope);
        } else {
            refusal = offer(envelope) ? null : stopped();
        }
        if (refusal instanceof ActorStoppedException && ChildMessages.accept(this, envelope)) {
            return null;
        }
        if (refusal != null) {
            kind.system().ends().refused.increment();
        }
        return refusal;
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

    /** Sends something that is not a message; false if the actor has been stopped. */
    final boolean signal(Signal signal) {
        return offer(new Envelope(signal, Reply.OF_SIGNAL));
    }

    /** Has the consumer look into the waiting room. If the mailbox is closed already, it will anyway. */
    final void wakeUp() {
        signal(Signal.WAKE_UP);
    }

    @Override
    void ready() {
        kind.dispatcher().ready(this);
    }

    // ---- handling

    /**
     * Handles messages, up to a batch, or until a reply is there, if somebody waits for one. The caller holds the consumer's
     * role; it keeps it if the result is true, and then has to see to another turn.
     */
    final boolean runTurn(Runner r, @Nullable Reply<?> awaited) {
        announce(r);
        if (Restarts.concernTurn(this) && !Restarts.mayGoOn(this, r)) {
            return false;
        }
        int left = BATCH;
        while (true) {
            boolean allAccepted = isClosed(); // before the taking: then what is not there will never come
            Envelope next = takeNext();
            if (next == null) {
                if (!allAccepted) {
                    if (withdrawIfIdle(r)) {
                        return false;
                    }
                    continue;
                }
                if (awaited != null) { // hooks are not what the one who waits has asked for
                    withdraw(r);
                    return true;
                }
                return !endsOrWaits(r);
            }
            r.takes(handled);
            if (kind.system().isClosed()) { // after the announcement: who closes the system looks the other way round
                stop(StopMode.DISCARD);
            }
            boolean closed = isClosed(); // after the taking: who closes later finds the runner
            if (closed) {
                VarHandle.fullFence(); // announced before every look at the lifecycle: a harder stop finds the runner
                if (discards()) {
                    discard(next);
                    next = null;
                }
            }
            while (next != null) {
                if (left-- == 0) {
                    putBack(next);
                    withdraw(r);
                    return true;
                }
                handle(r, next);
                next = next.next;
                if (next != null && next.isAsk()) {
                    reach(next);
                    r.takes(handled);
                }
                if (closed || r.attentionWanted()) {
                    if (Restarts.concernTurn(this)) {
                        putBack(next);
                        withdraw(r);
                        return true; // the next turn sees to it
                    }
                    if (next != null && discards()) {
                        discard(next);
                        break;
                    }
                }
                if (awaited != null && awaited.isDone()) {
                    left = 0; // what comes next may have to wait for the one who has waited until now
                }
            }
            putBack(null);
        }
    }

    private @Nullable Envelope takeNext() {
        Envelope next = takeAll();
        if (next != null) {
            return next;
        }
        WaitingRoom room = room();
        next = room == null ? null : room.poll();
        if (next == null && isClosed()) {
            next = lifecycle().late.poll();
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
                kind.system().ends().dropped.increment();
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
            lifecycle().deferred.add(reply);
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

    /** How many messages were handled; for threads other than the consumer a hint. */
    final long handled() {
        return handled;
    }

    private void discard(Envelope first) {
        DeadLetter.Reason why = lifecycle().failure() == null ? DeadLetter.Reason.STOPPED : DeadLetter.Reason.FAILED;
        for (Envelope e = first; e != null; e = e.next) {
            deadLetter(e, why);
        }
    }

    private void deadLetter(Envelope e, DeadLetter.Reason why) {
        Reply<?> reply = e.reply;
        if (reply == Reply.OF_SIGNAL) {
            return; // no message
        }
        if (reply != null && e.isAsk() && !reply.isDone()) {
            reply.completeExceptionally(stopped());
        }
        lifecycle().countDiscarded();
        kind.system().ends().deadLetter(this, e.message, why);
    }

    // ---- what only actors with a context have

    /** What the behavior sees of its actor, if it sees anything. */
    @Nullable
    CellContext<M, ?> context() {
        return null;
    }

    /** Whether {@link #renew} may be called more than once. */
    final boolean isRenewable() {
        return context() != null;
    }

    /** Makes the behavior, or makes it anew. By the holder of the consumer's role; only for an actor with a context. */
    final void renew() {
        Lifecycle l = lifecycleIfAny();
        if (l != null) { // the first time there is none, unless an option needs it
            l.deferred.failAll(() -> new ActorStoppedException(
                    "actor " + name() + " has been restarted before it replied", l.failure()));
        }
        Objects.requireNonNull(context(), "no behavior to make").renew();
    }

    // ---- the end

    /** The mailbox is closed and empty: ends the children, then the actor; false if there is something to handle after all. */
    private boolean endsOrWaits(Runner r) {
        Lifecycle l = lifecycle();
        withdraw(r); // the last child to end may pass the consumer's role to another thread
        List<ActorCell<?>> children = l.children.refuseMore();
        StopMode mode = Objects.requireNonNull(l.mode()); // a harder stop from now on finds all children
        unannounced(r, () -> stopChildren(children, mode));
        return switch (l.late.next(children)) {
            case HANDLE -> false;
            case WAIT_FOR_CHILDREN -> true;
            case END -> {
                end(r, l);
                yield true;
            }
        };
    }

    private void end(Runner r, Lifecycle l) {
        announce(r);
        CellContext<M, ?> context = context();
        if (context != null) {
            context.end().forEach(stashed -> deadLetter(stashed, DeadLetter.Reason.STASHED));
        }
        Runnable hook = l.options.onStop();
        if (hook != null) {
            Reports.guard(this, "stop hook", hook::run);
        }
        l.deferred.failAll(this::stopped);
        l.untie().forEach(resource -> Closing.close(this, resource));
        withdraw(r);
        r.begin(this); // those who hear of the end are told on this thread, and may close the system
        kind.system().remove(this);
        ActorExit exit = l.result(handled);
        l.exit.complete(exit);
        l.watchers.end(exit);
        leaveParent();
        Thread.interrupted(); // whatever hooks, resources and those who heard of the end have left
        r.end();
    }

    /** Stops the children when the actor has handled its last message. They may have to be waited for. */
    void stopChildren(List<ActorCell<?>> children, StopMode mode) {
        children.forEach(child -> child.stop(mode));
    }

    private void leaveParent() {
        ActorCell<?> parent = lifecycle().options.parent();
        if (parent != null && kind.system().removeChild(parent, this)) {
            parent.ready();
        }
    }

    /** The actor could not be started. */
    final void abandon() {
        kind.system().remove(this);
        leaveParent();
    }
}
