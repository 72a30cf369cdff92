package io.fibry.dispatch;

/** The events that dispatchers report to the actor system. */
public interface DispatchListener {

    /** An actor was made ready from outside, and is already visible to a check for quiescence. */
    void atWork();

    /** The runner is about to end: the last chance to read its counts. Called by its own thread. */
    void runnerGone(Runner runner);

    /** A turn or a worker has ended. It may have been the last one. */
    void turnsEnded();

    /** An executor rejected this actor. The listener stops the actor; the caller then runs its last turn. */
    void rejected(Schedulable actor, Throwable cause);

    /** A spare worker could not be started. The existing workers continue. */
    void spareNotStarted(Throwable cause);
}
