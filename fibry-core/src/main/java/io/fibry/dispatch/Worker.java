package io.fibry.dispatch;

import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread's work: runs ready actors until there are none. It begins as the spare.
 */
public final class Worker extends Runner implements Runnable {

    /** After so many turns a busy worker lets others have its carrier thread. */
    static final int TURNS_AT_A_STRETCH = 128;

    /** Every so many turns a worker looks at the shared queue first, or two chatting actors would starve the rest. */
    private static final int TURNS_BEFORE_SHARED = 32;

    /** How many actors may run on the stack of one that waits for another that waits for another. */
    public static final int MAX_DEPTH = 16;

    /** Where it is in the {@link WorkerTable}; written under the lock there. */
    int place;

    private final WorkerScheduler scheduler;
    private @Nullable Slot slot;
    private int turns;

    /** Whether this worker holds the scheduler's spare flag. */
    private boolean spare = true;

    Worker(WorkerScheduler scheduler, int number) {
        this.scheduler = scheduler;
        place = WorkerTable.nowhere(number);
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

    /** The frames from here to a handler are few, since each blocked handler keeps them. */
    @Override
    public void run() {
        adoptCurrentThread();
        try {
            Schedulable actor = next();
            while (actor != null) {
                boolean more = actor.runTurn(this, null);
                actor = afterTurn(actor, more);
            }
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

    /** The next actor to run; null if there is none, or somebody else looks for it. */
    private @Nullable Schedulable next() {
        while (true) {
            Schedulable actor = spare ? scheduler.searchAsSpare(this) : nextOwn();
            if (actor != null) {
                if (spare) {
                    spare = false;
                    scheduler.spareFoundWork(this);
                }
                return actor;
            }
            if (spare) {
                spare = false;
                scheduler.releaseSpare();
                // Look again after the flag is clear, or an actor that was made ready in between would be missed.
                if (scheduler.isQuiet()) {
                    return null;
                }
            }
            if (!scheduler.claimSpare()) {
                return null;
            }
            spare = true; // also without anything in sight: often the next message is on its way
        }
    }

    private @Nullable Schedulable nextOwn() {
        Slot s = slot();
        if (s != null && turns % TURNS_BEFORE_SHARED != 0) {
            Schedulable own = s.take();
            return own != null ? own : scheduler.takeShared();
        }
        Schedulable waiting = scheduler.takeShared();
        return waiting != null || s == null ? waiting : s.take();
    }

    // ---- between turns

    /** The same actor, as long as it has messages and nobody else waits; else the next; null to make way for the spare. */
    private @Nullable Schedulable afterTurn(Schedulable actor, boolean more) {
        scheduler.turnDone(this);
        Slot s = slot;
        if (s != null) {
            s.countTurn();
        }
        boolean makeWay = ++turns % TURNS_AT_A_STRETCH == 0;
        if (more) {
            if (!makeWay && !scheduler.someoneWaits(s)) {
                return actor;
            }
            scheduler.share(actor);
            scheduler.ensureSpareForWorker();
        }
        if (makeWay) {
            if (scheduler.spareIsComing()) {
                return null;
            }
            Thread.yield();
        }
        return next();
    }

    // ---- the actor that another waits for

    /**
     * Runs the actor that the one at work waits for, if it is this worker's next and nothing speaks against it: on the waiting
     * one's stack, by an inner {@link Runner}, until the reply is there. Nothing of the kernel's rules changes, since a turn is a
     * turn on whatever stack: the consumer's role of that actor came out of the slot, and what is left to do goes back to the
     * scheduler.
     *
     * <p>Now and then it leaves the actor to the spare, if there is one, so that the asker parks. To yield would not do: a
     * carrier thread goes on with the queue from which it took the thread that yields, and that is where this thread goes, so
     * others might wait for ever.
     */
    public void runUntil(Future<?> reply, Schedulable actor) {
        Slot s = slot();
        if (s == null || Thread.currentThread().isInterrupted()) {
            return;
        }
        if (++turns % TURNS_AT_A_STRETCH == 0 && scheduler.spareIsComing()) {
            return;
        }
        Runner outer = innermost();
        if (outer == null || !outer.lend()) {
            return;
        }
        boolean more = false;
        try {
            more = s.take(actor) && actor.runTurn(outer.inner(), reply);
        } finally {
            outer.takeBack();
        }
        if (more) {
            scheduler.share(actor);
            scheduler.ensureSpareForWorker();
        }
    }

    /** The runner of the actor at work; null if there are too many on the stack already. */
    private @Nullable Runner innermost() {
        Runner r = this;
        for (int depth = 1; r.isLent(); depth++) {
            if (depth == MAX_DEPTH) {
                return null;
            }
            r = r.inner();
        }
        return r;
    }
}
