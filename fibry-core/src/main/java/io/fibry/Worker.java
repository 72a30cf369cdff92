package io.fibry;

import org.jspecify.annotations.Nullable;

/**
 * A virtual thread's work: runs ready actors until there are none. It begins as the spare.
 */
final class Worker extends Runner implements Runnable {

    /** After so many turns a busy worker lets others have its carrier thread. */
    static final int TURNS_AT_A_STRETCH = 128;

    /** Every so many turns a worker looks at the shared queue first, or two chatting actors would starve the rest. */
    private static final int TURNS_BEFORE_SHARED = 32;

    /** Its links in the {@link WorkerList}, guarded by the lock there. */
    @Nullable
    Worker next;

    @Nullable
    Worker previous;

    /** Whether it is in that list; its own thread only. */
    boolean listed;

    /** Counts the workers of a scheduler. */
    final int number;

    private final WorkerScheduler scheduler;
    private @Nullable Slot slot;
    private int turns;

    /** Whether this worker holds the scheduler's spare flag. */
    private boolean spare = true;

    Worker(WorkerScheduler scheduler, int number) {
        this.scheduler = scheduler;
        this.number = number;
    }

    /** The calling thread's worker, if it is one of that scheduler. */
    static @Nullable Worker current(WorkerScheduler scheduler) {
        return ofCurrentThread() instanceof Worker w && w.scheduler == scheduler ? w : null;
    }

    /** A slot for an actor that this worker makes ready, if there is one to be had. Its own thread only. */
    @Nullable
    Slot slotToPut() {
        Slot s = slot();
        if (s == null) {
            s = scheduler.claimSlot(this);
            slot = s;
        }
        return s;
    }

    /** The slot of this worker's next actor, if it has one. */
    @Nullable
    private Slot slot() {
        Slot s = slot;
        if (s != null && !s.isOwnedBy(this)) { // taken over while a handler was blocked
            slot = null;
            return null;
        }
        return s;
    }

    @Override
    public void run() {
        adoptCurrentThread();
        try {
            work();
        } finally {
            if (spare) {
                scheduler.releaseSpare(); // only if something threw
            }
            if (slot != null) {
                slot.release(this);
            }
            scheduler.gone(this);
        }
    }

    private void work() {
        while (true) {
            ActorCell<?> actor = spare ? scheduler.searchAsSpare() : nextOwn();
            if (actor == null) {
                if (spare) {
                    spare = false;
                    scheduler.releaseSpare();
                }
                // Look again after the spare flag is clear, or an actor that was made ready in between would be missed.
                if (scheduler.isQuiet() || !scheduler.claimSpare()) {
                    return;
                }
                spare = true;
            } else {
                if (spare) {
                    spare = false;
                    scheduler.spareFoundWork(this);
                }
                if (!runTurns(actor)) {
                    return;
                }
            }
        }
    }

    private @Nullable ActorCell<?> nextOwn() {
        Slot s = slot();
        if (s != null && turns % TURNS_BEFORE_SHARED != 0) {
            ActorCell<?> own = s.take();
            return own != null ? own : scheduler.takeShared();
        }
        ActorCell<?> waiting = scheduler.takeShared();
        return waiting != null || s == null ? waiting : s.take();
    }

    /** Runs an actor, as long as it has messages and nobody else waits; false if this worker has made way for the spare. */
    private boolean runTurns(ActorCell<?> actor) {
        while (true) {
            boolean more = actor.runTurn(this);
            Slot s = slot;
            if (s != null) {
                s.countTurn();
            }
            boolean makeWay = ++turns % TURNS_AT_A_STRETCH == 0;
            if (more && (makeWay || scheduler.someoneWaits(s))) {
                scheduler.share(actor);
                scheduler.ensureSpareForWorker();
                more = false;
            }
            if (makeWay) {
                if (scheduler.spareIsComing()) {
                    return false;
                }
                Thread.yield();
            }
            if (!more) {
                return true;
            }
        }
    }
}
