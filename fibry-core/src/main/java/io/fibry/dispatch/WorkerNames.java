package io.fibry.dispatch;

/**
 * The names of workers' threads in thread dumps. The {@link WorkerWatch} names a thread after its actor during a long
 * turn, since changing the name for each turn would take longer than many turns do.
 *
 * <p>The worker resets the name after the long turn. If a new slice has begun in the meantime, or if the two threads
 * race, the name is wrong until the next check. A kept worker is not checked until it works again.
 */
final class WorkerNames {

    /** The length of a turn after which the worker's thread is named after the actor. */
    private static final int LONG_TURN_MILLIS = 50;

    private WorkerNames() {}

    /** Names the thread after the running actor, if it has been running for long. Called by the watch. */
    static void nameAfterActor(Worker worker) {
        ActorThread top = worker.top();
        ScheduledActor actor = top.currentActor();
        if (actor == worker.named) {
            return;
        }
        if (actor != null && top.turnMillis() >= LONG_TURN_MILLIS) {
            worker.rename(Worker.THREAD_NAME + ' ' + actor.name());
            worker.named = actor;
        } else if (worker.named != null) {
            reset(worker);
        }
    }

    /** Resets the name to that of a worker without an actor. */
    static void reset(Worker worker) {
        worker.named = null;
        worker.rename(Worker.THREAD_NAME);
    }
}
