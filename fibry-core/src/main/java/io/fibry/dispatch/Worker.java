package io.fibry.dispatch;

import java.util.Map;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The task of a virtual thread: runs ready actors until there are none. It starts as the spare. */
public final class Worker extends Runner implements Runnable {

    /** After this number of turns, or a {@linkplain #isSliceOver slice} of time, a busy worker lets other virtual threads have its carrier thread. */
    static final int TURNS_AT_A_STRETCH = 128;

    /**
     * How often, in turns, a worker takes from the shared queue first. Otherwise two actors that message each other would starve
     * the rest.
     */
    private static final int TURNS_BEFORE_SHARED = 32;

    /** How many actors may run on one stack, each waiting for the next. */
    public static final int MAX_DEPTH = 16;

    /** The name of a worker's thread, before the name of its actor. */
    public static final String THREAD_NAME = "fibry-worker";

    /** A turn of this length makes the worker's thread bear the actor's name. */
    private static final int LONG_TURN_MILLIS = 50;

    /** The position in the {@link WorkerTable}. Written under the lock of its stripe. */
    int place;

    private final WorkerScheduler scheduler;
    private @Nullable Slot slot;
    private int turns;

    /** Whether this worker holds the scheduler's spare flag. */
    private boolean spare = true;

    /**
     * The actor whose consumer's role this worker holds. A field, so that an error between two steps does not lose the actor.
     */
    private @Nullable Schedulable taken;

    /** The actor whose name the thread bears; null if it has its own. Written by the {@link WorkerWatch} and by this worker. */
    private volatile @Nullable Schedulable named;

    Worker(WorkerScheduler scheduler, int number) {
        this.scheduler = scheduler;
        place = WorkerTable.nowhere(number);
    }

    /** The calling thread's worker, if it is one of that scheduler. */
    static @Nullable Worker current(WorkerScheduler scheduler) {
        return ofCurrentThread() instanceof Worker w && w.scheduler == scheduler ? w : null;
    }

    /** A slot for an actor that this worker makes ready, or null if none is available. Its own thread only. */
    @Nullable
    Slot slotToPut() {
        Slot s = slot();
        if (s == null) {
            s = scheduler.claimSlot(this);
            slot = s;
        }
        return s;
    }

    /**
     * Called by a thread that is about to wait, perhaps for long, for something that the kernel knows of. Passes the actor in its
     * slot to other workers.
     */
    public static void beforeWait() {
        if (ofCurrentThread() instanceof Worker worker && worker.shareOwn()) {
            worker.scheduler.ensureSpare();
        }
    }

    /** Moves the actor in the slot to the shared queue. Returns false if there is none. The caller ensures a spare. */
    private boolean shareOwn() {
        Slot s = slot();
        Schedulable own = s == null ? null : s.take();
        if (own != null) {
            scheduler.share(own);
        }
        return own != null;
    }

    /** The slot of this worker, or null if it has none or has lost it. */
    @Nullable
    private Slot slot() {
        Slot s = slot;
        if (s != null && !s.isOwnedBy(this)) { // another worker took it over while a handler was blocked
            slot = null;
            return null;
        }
        return s;
    }

    /**
     * Keeps few frames between here and a handler, since each blocked handler retains them. An error of the kernel itself, mostly
     * an {@link OutOfMemoryError}, does not end the worker, which goes on with the actor that it holds.
     */
    @Override
    public void run() {
        adoptCurrentThread();
        if (scheduler.isTimed()) {
            beginSlice();
        }
        boolean goesOn = true;
        while (goesOn) {
            try {
                Schedulable actor = taken;
                goesOn = actor == null ? findsNext() : goesOnAfter(actor, actor.runTurn(this, null));
            } catch (Throwable t) {
                OutOfMemory.pause();
            }
        }
        if (slot != null) {
            slot.release(this);
        }
        scheduler.gone(this);
    }

    /** Takes the next actor to run. Returns false if there is none, or if another worker is the spare and looks for it. */
    private boolean findsNext() {
        if (spare && scheduler.spareMakesWay()) {
            spare = false;
            scheduler.releaseSpare();
            scheduler.needSpare();
            return false;
        }
        while (true) {
            taken = spare ? scheduler.searchAsSpare(this) : nextOwn();
            if (taken != null) {
                if (spare) {
                    scheduler.register(this);
                    spare = false;
                    scheduler.spareFoundWork();
                }
                if (turns != 0) {
                    LogContext.clear(); // of the actor before
                }
                return true;
            }
            if (spare) {
                spare = false;
                scheduler.releaseSpare();
                // StoreLoad fence: the volatile clear of the flag precedes this look. Otherwise an actor made ready in
                // between would be missed.
                if (!scheduler.hasWorkForSpare()) {
                    return false;
                }
            }
            if (!scheduler.claimSpare()) {
                return false;
            }
            spare = true; // also if nothing is ready: often the next message is on its way
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

    /**
     * Keeps the actor while it has messages and no other is ready; otherwise takes the next one. Returns false if the worker
     * ends.
     */
    private boolean goesOnAfter(Schedulable actor, boolean more) {
        if (!more) {
            taken = null; // first of all: the actor may run elsewhere by now
        }
        scheduler.turnDone(this);
        Slot s = slot;
        if (s != null) {
            s.countTurn();
        }
        boolean sliceOver = isSliceOver();
        boolean makeWay = ++turns % TURNS_AT_A_STRETCH == 0 || sliceOver;
        if (more) {
            if (!makeWay && !scheduler.someoneWaits(s)) {
                return true;
            }
            scheduler.share(actor);
            taken = null;
            if (!sliceOver) {
                scheduler.ensureSpare();
            }
        }
        if (sliceOver) {
            if (named != null) { // only here: a turn that is long enough for a name is longer than a slice
                takeOwnName();
            }
            shareOwn();
            scheduler.handOver();
            return false;
        }
        if (makeWay) {
            if (scheduler.spareIsComing()) {
                if (shareOwn()) {
                    scheduler.ensureSpare();
                }
                return false;
            }
            Thread.yield();
        }
        return findsNext();
    }

    // ---- names in thread dumps

    /**
     * Gives the thread the name of the actor at work, if it has been for long. By the {@link WorkerWatch}: to change the name for
     * each turn would cost more than many turns do.
     *
     * <p>Mostly the worker ends with its long turn. If it goes on, because its slice has begun anew meanwhile, or if the two miss each
     * other, the name is wrong until the next look.
     */
    void nameAfterActor() {
        Runner top = top();
        Schedulable actor = top.actorAtWork();
        if (actor == named) {
            return;
        }
        if (actor != null && top.turnMillis() >= LONG_TURN_MILLIS) {
            rename(THREAD_NAME + ' ' + actor.name());
            named = actor;
        } else if (named != null) {
            takeOwnName();
        }
    }

    private void takeOwnName() {
        named = null;
        rename(THREAD_NAME);
    }

    // ---- the awaited actor, on the stack of the waiting one

    /**
     * Runs the actor that the one at work waits for, if it is this worker's next and nothing prevents it. It runs on the stack of
     * the waiting actor, with an inner {@link Runner}, until the reply has come. The rules of the kernel stay the same, since a
     * turn does not depend on the stack: the consumer's role of that actor came out of the slot, and an actor with messages left
     * goes back to the scheduler.
     *
     * <p>At regular intervals this leaves the actor to the spare, if there is one, so the asker parks. A yield would not be
     * enough: a carrier thread continues with the queue from which it took the yielding thread, and the yielding thread goes into
     * that queue. Other threads might starve.
     */
    public void runUntil(Future<?> reply, Schedulable actor) {
        StackRoom.require(); // the actor is not to blame if its asker is deep in a recursion
        Slot s = slot();
        if (s == null || Thread.currentThread().isInterrupted()) {
            return;
        }
        if (isSliceOver()) {
            beginSlice(); // the next one, after this thread has parked
            shareOwn();
            scheduler.handOver();
            return;
        }
        if (++turns % TURNS_AT_A_STRETCH == 0 && scheduler.spareIsComing()) {
            return;
        }
        Runner outer = innermost();
        if (outer == null) {
            return;
        }
        Map<String, String> logContext = LogContext.take();
        try {
            runOnStack(outer, s, actor, reply);
        } finally {
            LogContext.putBack(logContext);
        }
    }

    private void runOnStack(Runner outer, Slot s, Schedulable actor, Future<?> reply) {
        boolean more = false;
        outer.lend();
        try {
            if (s.take(actor)) { // StoreLoad fence: orders the lending before the read of attention
                more = outer.attentionWanted() || actor.runTurn(outer.inner(), reply);
            }
        } finally {
            outer.takeBack();
        }
        if (more) {
            scheduler.share(actor);
            scheduler.ensureSpare();
        }
    }

    /** The runner of the actor at work; null if the stack has reached its maximum depth. */
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
