package io.fibry.dispatch;

/** What dispatchers tell the actor system. */
public interface DispatchListener {

    /** An actor was made ready from outside, and can be found by who looks whether the system is quiescent. */
    void atWork();

    /** The runner is about to go: this is the last chance to read its counts. By its own thread. */
    void runnerGone(Runner runner);

    /** Something that ran has ended. Perhaps it was the last. */
    void turnsEnded();

    /** An executor does not run this actor. The listener stops the actor; the caller then runs its last turn. */
    void rejected(Schedulable actor, Throwable cause);

    /** A spare worker could not be started; the workers that there are go on. */
    void spareNotStarted(Throwable cause);
}
