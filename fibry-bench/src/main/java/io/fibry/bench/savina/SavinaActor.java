package io.fibry.bench.savina;

import org.jspecify.annotations.Nullable;

/**
 * An actor of a workload, for all peers. The reference to an actor is the peer's own, thus an {@link Object}: a wrapper would
 * cost one peer more than another.
 *
 * <p>Rules for all workloads, since the peers differ here: nobody tells an actor that may have stopped, and an actor that makes
 * others stops after them.
 */
public abstract class SavinaActor {

    /** The message to the first actor. */
    public static final Object START = new Object();

    /** The message that stops any actor. */
    public static final Object STOP = new Object();

    private @Nullable Cell cell;

    /** Called by the cell, before the first message. */
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

    /** Handles a message; {@link #STOP} never comes here. */
    protected abstract void receive(Object message) throws Exception;

    /** Whether the actor uses {@link #stash}. Some peers make such actors in another way. */
    protected boolean stashes() {
        return false;
    }

    /** The reference to this actor. */
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

    /** Handles no message after this one. */
    protected final void stop() {
        cell().stop();
    }

    /** Puts the message at work aside. */
    protected final void stash(Object message) {
        cell().stash(message);
    }

    /** Handles the first messages that were put aside next. A peer may give back more than these: stash them again. */
    protected final void unstash(int count) {
        cell().unstash(count);
    }

    /** Ends the run with a result. */
    protected final void finish(Object result) {
        cell().world.finish(result);
    }
}
