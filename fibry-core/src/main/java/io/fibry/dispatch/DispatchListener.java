package io.fibry.dispatch;

/** The events that dispatchers report to the actor system. */
public interface DispatchListener {

    /** Called when an actor was made ready from outside, and is already visible to a check for quiescence. */
    void active();

    /** Called by the runner's own thread when it is about to end, as the last opportunity to read its counts. */
    void runnerGone(ActorThread runner);

    /** Called when a turn or a worker has ended, which may have been the last one. */
    void turnsEnded();

    /**
     * Called when an executor has rejected this actor. The listener stops the actor; the caller then runs its last
     * turn. Repeats the stop if memory runs out.
     */
    void rejected(ScheduledActor actor, Throwable cause);

    /** Called when a spare worker could not be started. The existing workers continue. */
    void spareNotStarted(Throwable cause);
}
