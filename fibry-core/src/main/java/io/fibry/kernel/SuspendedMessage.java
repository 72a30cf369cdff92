package io.fibry.kernel;

import io.fibry.dispatch.StackRoom;
import io.fibry.dispatch.SuspendedHandler;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A message whose handler is suspended. It stays in hand, before the messages that follow, until the handler is
 * complete. Meanwhile the consumer's role is either exercised by a {@linkplain SuspendedTurn turn} that runs steps of
 * the handler, or parked: then no thread holds it.
 *
 * <p><b>No step is missed.</b> A thread adds a step, or completes the handler, before it tries to change the state from
 * parked to owned; if it succeeds, it holds the role and transfers it. A turn that finds no step sets the state to
 * parked, and then looks for steps again. If one was added in between, the turn tries the same change. Exactly one of
 * the two succeeds, and runs the step. A step that is added before the resumption is set is found by the turn, which
 * looks for steps afterwards.
 *
 * <p><b>No interrupt is missed.</b> A stopper sets the mode and reads the runner under the lock of the lifecycle. If it
 * finds the runner, it interrupts the thread of the turn: either the turn sees the interrupt after a step, or its
 * {@link ActorState#withdraw} takes it, under the same lock. If it finds no runner, it notes the interrupt here and
 * acts like a thread that has added a step.
 *
 * <p><b>Mailbox and lifecycle.</b> A parked role is a role that a thread may still exercise: the mailbox is not idle, a
 * message makes no turn, and a stop, a restart or the end of the actor waits for the message. The close of the system
 * waits, too, and the JVM stays alive: the actor is registered, and the system is not quiescent while a handler is
 * suspended.
 */
final class SuspendedMessage extends Envelope implements SuspendedHandler.Resumption {

    private static final byte OWNED = 0;
    private static final byte PARKED = 1;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(SuspendedMessage.class, "state", byte.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ActorState<?> actor;

    /** Consumer only, except {@link SuspendedHandler#hasWork}. */
    final SuspendedHandler handler;

    /** The message as it was sent, if it has instruments; else this object. */
    final Envelope sent;

    /** In milliseconds of {@link System#nanoTime}. */
    private final int began = now();

    private volatile byte state = OWNED;

    private volatile boolean interrupted;

    /** As {@link #suspendedWait}. */
    private volatile WaitGraph.@Nullable Edge wait;

    /** Whether the system counts this message, and others may wake the handler up. Consumer only. */
    private boolean isPublished;

    SuspendedMessage(ActorState<?> actor, SuspendedHandler handler, Envelope sent) {
        super(sent.message, sent.reply);
        this.actor = actor;
        this.handler = handler;
        this.sent = sent instanceof InstrumentedEnvelope ? sent : this;
        next = sent.next;
    }

    /** The suspended message of an actor; null if there is none. Any thread. */
    static @Nullable SuspendedMessage of(ActorState<?> actor) {
        return (SuspendedMessage) actor.suspended();
    }

    @Override
    boolean isSuspended() {
        return true;
    }

    /** A copy that is stashed during the handling of this message. */
    @Override
    Envelope copy() {
        return sent == this ? super.copy() : sent.copy();
    }

    /** The milliseconds since the handler was suspended for the first time. */
    long millis() {
        int millis = now() - began; // the values overflow after 49 days
        return Math.max(0, millis);
    }

    private static int now() {
        return (int) TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    @Override
    WaitGraph.@Nullable Edge suspendedWait() {
        return wait;
    }

    /** The reason why the message is not handled, as text for users. */
    String reason() {
        WaitGraph.Edge w = wait;
        ActorState<?> awaited = w == null ? null : w.awaited();
        return "its handler is suspended" + (awaited == null ? "" : ", and waits for a reply of " + awaited.name());
    }

    // ---- other threads

    @Override
    public void wakeUp() {
        if (state == PARKED) {
            StackRoom.require(); // for ready()
            if (STATE.compareAndSet(this, PARKED, OWNED)) {
                actor.ready();
            }
        }
    }

    /**
     * Interrupts the handler if no thread runs it. Under the lock of the lifecycle.
     *
     * @return whether the caller now holds the consumer's role
     */
    boolean interrupt() {
        interrupted = true;
        return STATE.compareAndSet(this, PARKED, OWNED);
    }

    // ---- turns of the actor

    /** Called before the first park: from now on, the system is not quiescent, and others may wake the handler up. */
    void publish() {
        if (!isPublished) {
            handler.suspended(this);
            actor.registry().holds(actor);
            actor.registry().suspended().begins();
            isPublished = true;
        }
    }

    /** Called when the message is handled, and no longer in hand. */
    void ended() {
        if (isPublished) {
            actor.registry().suspended().ends();
            actor.registry().forgetIfIdle(actor);
        }
    }

    /** Parks the role. Returns false if there is something to do, and the caller still holds the role. */
    boolean park() {
        state = PARKED;
        return !((handler.hasWork() || interrupted) && STATE.compareAndSet(this, PARKED, OWNED));
    }

    /** Sets the wait of the handler, before it parks, or null, before any effect of the end of the wait. */
    void waitsFor(WaitGraph.@Nullable Edge edge) {
        wait = edge;
    }

    /** Notes an interrupt of the turn that the handler has not seen. */
    void oweInterrupt() {
        interrupted = true;
    }

    /** Passes the handler an interrupt of this turn, or one that it has not seen yet. */
    void interruptIfOwed() {
        if (Thread.interrupted() || interrupted) {
            interrupted = false;
            handler.interrupted();
        }
    }
}
