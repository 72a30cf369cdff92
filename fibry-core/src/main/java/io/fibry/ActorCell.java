package io.fibry;

import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * An actor at work: it takes messages and handles them in turns, run by whoever holds the consumer's role (see
 * {@link Mailbox}), until its end. A subclass adds the behavior.
 *
 * <p>All that an idle actor costs are the fields of this class, its superclasses and its subclass: 40 bytes on a 64-bit JVM
 * with compressed references.
 */
abstract class ActorCell<M> extends StoppableActor<M> {

    /** Messages in a turn; more does not make it faster, and others wait for it. */
    static final int BATCH = 64;

    private static final Object WAKE_UP = new Object();

    ActorCell(ActorKind kind) {
        super(kind);
    }

    /** Handles a message that nobody waits for. */
    abstract void receive(M message) throws Exception;

    /** Handles a message whose sender waits for the result. */
    @Nullable
    Object answer(M message) {
        throw new IllegalStateException("this actor does not reply");
    }

    // ---- sending

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
        if (room != null) {
            return Admission.tryAdmit(this, room, envelope);
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

    private void send(Envelope envelope) {
        RejectedExecutionException refusal = refusal(envelope);
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Sends a message; null if it was accepted, or dropped as the mailbox's policy says. */
    final @Nullable RejectedExecutionException refusal(Envelope envelope) {
        WaitingRoom room = room();
        if (room != null) {
            return Admission.admit(this, room, envelope);
        }
        return offer(envelope) ? null : stopped();
    }

    /** Has the consumer look into the waiting room. If the mailbox is closed already, it will anyway. */
    final void wakeUp() {
        offer(new Envelope(WAKE_UP, null));
    }

    @Override
    final void ready() {
        kind.dispatcher().ready(this);
    }

    // ---- handling

    /** A turn of a whole batch. */
    final boolean runTurn(Runner r) {
        return runTurn(r, null);
    }

    /**
     * Handles messages, up to a batch, or until a reply is there that somebody waits for. The caller holds the consumer's
     * role; it keeps it if the result is true, and then has to see to another turn.
     */
    final boolean runTurn(Runner r, @Nullable Reply<?> awaited) {
        announce(r);
        if (kind.system().isClosed()) { // after the announcement: who closes the system looks the other way round
            stop(StopMode.DISCARD);
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
                end(r);
                return false;
            }
            boolean closed = isClosed(); // after the taking: who closes later finds the runner
            if (closed) {
                VarHandle.fullFence(); // announced before every look at the lifecycle: a harder stop finds the runner
            }
            while (next != null) {
                if ((closed || r.attentionWanted()) && discards()) {
                    discard(next);
                    break;
                }
                if (left-- == 0) {
                    putBack(next);
                    withdraw(r);
                    return true;
                }
                Envelope rest = next.next;
                handle(next);
                next = rest;
                if (awaited != null && awaited.isDone()) {
                    left = 0; // what comes next may have to wait for the one who has waited until now
                }
            }
        }
    }

    private @Nullable Envelope takeNext() {
        Envelope next = takeAll();
        WaitingRoom room = room();
        return room != null && (next == null || next.message == WAKE_UP) ? room.poll() : next;
    }

    @SuppressWarnings("unchecked")
    private void handle(Envelope envelope) {
        Reply<?> reply = envelope.reply;
        try {
            if (reply == null) {
                receive((M) envelope.message);
            } else if (reply == Reply.OF_TASK) {
                ((Runnable) envelope.message).run();
            } else {
                ((Reply<@Nullable Object>) reply).complete(answer((M) envelope.message));
            }
        } catch (Throwable t) {
            failed(reply, t);
        }
        Thread.interrupted(); // an interrupt belongs to one message
    }

    private void failed(@Nullable Reply<?> reply, Throwable t) {
        if (reply != null && reply != Reply.OF_TASK) {
            reply.completeExceptionally(t);
        } else {
            Reports.failure(this, t);
        }
        if (kind.supervision() == Supervision.stop()) {
            fail(t);
        }
    }

    private void discard(Envelope first) {
        Lifecycle l = lifecycle();
        for (Envelope e = first; e != null; e = e.next) {
            if (e.reply != null && e.reply != Reply.OF_TASK) {
                e.reply.completeExceptionally(stopped());
            }
            l.countDeadLetter();
        }
    }

    // ---- the end

    /** The mailbox is closed and empty: ends the children, then the actor. */
    private void end(Runner r) {
        Lifecycle l = lifecycle();
        withdraw(r); // the last child to end may pass the consumer's role to another thread
        List<ActorCell<?>> children = l.refuseChildren();
        StopMode mode = Objects.requireNonNull(l.mode()); // a harder stop from now on finds all children
        children.forEach(child -> child.stop(mode));
        if (!l.childrenGone()) {
            return;
        }
        announce(r);
        Runnable hook = l.options.onStop();
        if (hook != null) {
            Reports.guard(this, "stop hook", hook::run);
        }
        l.untie().forEach(this::closeTied);
        Reports.deadLetters(this, l.deadLetters());
        withdraw(r);
        r.begin(this); // those who hear of the end are told on this thread, and may close the system
        kind.system().remove(this);
        l.exit.complete(l.result());
        leaveParent();
        Thread.interrupted(); // whatever hooks, resources and those who heard of the end have left
        r.end();
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
