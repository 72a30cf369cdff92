package io.fibry.bench.savina;

import org.jspecify.annotations.Nullable;

/**
 * An actor of a workload, for all peers. A reference to an actor is the peer's own type, and therefore an
 * {@link Object}: the cost of a wrapper would differ between peers.
 *
 * <p>Workloads must not send to an actor that may have stopped, and an actor must stop after its children, because the
 * behavior of the peers differs in these cases.
 */
public abstract class SavinaActor {

    /** The message to the first actor. */
    public static final Object START = new Object();

    /** The message that stops any actor. */
    public static final Object STOP = new Object();

    private @Nullable Cell cell;

    /** Called by the cell before the first message. */
    final void bind(Cell own) {
        cell = own;
    }

    private Cell cell() {
        Cell bound = cell;
        if (bound == null) {
            throw new IllegalStateException("the actor has not been spawned");
        }
        return bound;
    }

    /** Handles a message other than {@link #STOP}. */
    protected abstract void receive(Object message) throws Exception;

    /** Returns whether the actor uses {@link #stash}. Some peers create such actors differently. */
    protected boolean stashes() {
        return false;
    }

    /** Returns the reference to this actor. */
    protected final Object self() {
        return cell().self();
    }

    /** Starts another actor. Returns the reference to it. */
    protected final Object spawn(SavinaActor other) {
        return cell().spawn(other);
    }

    /** Sends a message. */
    protected final void tell(Object to, Object message) {
        cell().tell(to, message);
    }

    /** Sends {@link #STOP} to several actors. */
    protected final void stopAll(Object[] actors) {
        for (Object actor : actors) {
            tell(actor, STOP);
        }
    }

    /** Stops the actor after the current message. */
    protected final void stop() {
        cell().stop();
    }

    /** Stashes the current message. */
    protected final void stash(Object message) {
        cell().stash(message);
    }

    /** Unstashes the first messages, which are handled next. A peer may unstash more messages; stash these again. */
    protected final void unstash(int count) {
        cell().unstash(count);
    }

    /** Ends the run with a result. */
    protected final void finish(Object result) {
        cell().world.finish(result);
    }
}
