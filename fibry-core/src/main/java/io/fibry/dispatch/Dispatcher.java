package io.fibry.dispatch;

import org.jspecify.annotations.Nullable;

/** Runs ready actors on threads. Each strategy in a system has one dispatcher. */
public abstract class Dispatcher {

    /**
     * Called once for an actor that holds a resource while idle, before it is published.
     *
     * @return the actor's own runner, which the actor keeps; null if it has none
     */
    public @Nullable ActorThread prepare(ScheduledActor actor) {
        return null;
    }

    /** Called once for an actor that holds a resource while idle, after {@link #prepare} and before it is published. */
    public void start(ScheduledActor actor) {}

    /** Called for a prepared actor that has ended without a turn, because it or its thread could not be started. */
    public void abandon(ScheduledActor actor) {}

    /** Whether actors hold a thread from their creation on, so that the system has to register them. */
    public boolean holdsThreads() {
        return false;
    }

    /**
     * Schedules a turn of the actor. The caller holds the consumer's role and transfers it. Called once each time an
     * actor becomes ready.
     */
    public abstract void ready(ScheduledActor actor);

    /** Whether {@link #ready} may run the actor on the calling thread, for as long as its handlers take. */
    public boolean mayRunOnCaller() {
        return false;
    }

    /**
     * Whether a thread is polling, and would take a ready actor without a wake-up. A hint for threads that wait for a
     * reply.
     */
    public boolean hasSpinningWorker() {
        return false;
    }

    /** The reason why actors no longer run, as the end of a sentence; empty if there is none. */
    public String endedBy() {
        return "";
    }
}
