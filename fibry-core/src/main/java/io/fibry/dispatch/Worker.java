package io.fibry.dispatch;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The task of a virtual thread: runs ready actors until none is left. It starts as the spare. When it has run out of
 * work, it may become the {@link KeptWorker} and continue as the spare later.
 */
public final class Worker extends ActorThread implements Runnable {

    /** The number of turns after which a worker without a {@link YieldTimer} yields to other virtual threads. */
    static final int TURNS_PER_YIELD = 128;

    /**
     * The number of turns after which a worker takes its next actor last. Otherwise two actors that message each other
     * would starve the rest.
     */
    private static final int TURNS_BEFORE_QUEUES = 32;

    /** The maximum number of actors on one stack, each waiting for the next. */
    public static final int MAX_DEPTH = 16;

    /** The name of a worker's thread, before the name of its actor. */
    public static final String THREAD_NAME = "fibry-worker";

    /** The position in the {@link WorkerTable}. Written under the lock of its stripe. */
    int place;

    private final WorkerScheduler scheduler;
    private @Nullable RunQueue runQueue;
    private int turns;

    /**
     * Created after the first turn, to save memory: a million workers may be blocked in their first turn. Always null
     * in a system whose workers a test controls: they have to take the same steps in each run.
     */
    private @Nullable YieldTimer yieldTimer;

    /** Set to null by the worker's thread after the start, for the same reason. */
    private @Nullable ThreadStart start = new ThreadStart();

    /** Whether this worker holds the scheduler's spare flag. */
    private boolean spare = true;

    /** Whether it ends to release its carrier thread. Other workers take its actors. */
    private boolean makesWay;

    /** Whether it found its current actor by polling, as the spare. Confined to the worker's thread. */
    boolean foundByPolling;

    /** Whether the worker searches the shared queue before its own. It alternates, so that neither queue starves. */
    private boolean sharedFirst;

    /**
     * The actor whose consumer's role this worker holds. A field, so that an error between two steps does not lose the
     * actor.
     */
    private @Nullable ScheduledActor taken;

    /** The actor after which the thread is named; null if none. Written only by {@link WorkerNames}. */
    volatile @Nullable ScheduledActor named;

    /** The state of the hand-over of a kept worker. Written only by {@link KeptWorker}. */
    volatile int handOver;

    Worker(WorkerScheduler scheduler, int number) {
        this.scheduler = scheduler;
        place = WorkerTable.nowhere(number);
    }

    /** Called with the outcome of the start. Returns false if the thread has left, and has cleared the spare flag. */
    boolean mayRun(boolean started) {
        return Objects.requireNonNull(start).end(started); // not null: the thread has left, or waits for this call
    }

    /** The calling thread's worker, if it is one of that scheduler. */
    static @Nullable Worker current(WorkerScheduler scheduler) {
        return ofCurrentThread() instanceof Worker w && w.scheduler == scheduler ? w : null;
    }

    /**
     * A run queue for an actor that this worker makes ready, or null if none is available. Called only by its own
     * thread.
     */
    @Nullable
    RunQueue runQueueToPut() {
        RunQueue own = runQueue();
        if (own == null) {
            own = scheduler.queues.claim(this);
            runQueue = own;
        }
        return own;
    }

    /**
     * Called by a thread that is about to wait in a method of the kernel, perhaps for long. Passes its next actor to
     * other workers.
     */
    public static void beforeWait() {
        if (ofCurrentThread() instanceof Worker worker && worker.shareNext()) {
            worker.scheduler.ensureSpare();
        }
    }

    /** Moves the next actor to the shared queue. Returns false if there is none. The caller ensures a spare. */
    private boolean shareNext() {
        RunQueue own = runQueue();
        if (own == null || !own.hasNext()) {
            return false;
        }
        StackRoom.require(); // a deep recursion of the handler must not lose the actor
        ScheduledActor next = own.takeNext();
        if (next != null) {
            scheduler.queues.share(next);
        }
        return next != null;
    }

    /** The run queue of this worker, or null if it has none or has lost it. */
    @Nullable
    private RunQueue runQueue() {
        RunQueue own = runQueue;
        if (own != null && !own.isOwnedBy(this)) { // another worker took it over while a handler was blocked
            runQueue = null;
            return null;
        }
        return own;
    }

    /**
     * Keeps the number of frames between this method and a handler small, since each blocked handler retains them. An
     * error of the kernel itself, usually an {@link OutOfMemoryError}, does not end the worker, which continues with
     * the actor that it holds.
     */
    @Override
    public void run() {
        ThreadStart s = Objects.requireNonNull(start);
        if (scheduler.spareLeaves(s) || !s.succeeds()) {
            return;
        }
        start = null;
        adoptCurrentThread();
        if (scheduler.timed) {
            beginSlice();
        }
        do {
            boolean goesOn = true;
            while (goesOn) {
                try {
                    ScheduledActor actor = taken;
                    goesOn = actor == null ? takeNext() : keepsActor(actor, actor.runTurn(this, null));
                } catch (Throwable t) {
                    OutOfMemory.pause();
                }
            }
            releaseRunQueue();
            scheduler.gone(this);
        } while (waitsForWork());
    }

    private void releaseRunQueue() {
        RunQueue own = runQueue;
        if (own != null) {
            runQueue = null;
            own.release(this);
        }
    }

    /** Waits as the kept worker. Returns whether this worker is the spare; otherwise it ends. */
    private boolean waitsForWork() {
        int tick = WorkerWatch.ticks();
        if (makesWay || !scheduler.keeps(this)) {
            return false;
        }
        spare = true;
        turns = 0;
        if (WorkerWatch.ticks() != tick) { // else the slice continues: the thread may not have parked
            beginSlice();
            yieldTimer = null;
        }
        return true;
    }

    /**
     * Takes the next actor to run. Returns false if there is none, or if another worker is the spare and searches for
     * it.
     */
    private boolean takeNext() {
        if (spare && scheduler.spareMakesWay()) {
            spare = false;
            makesWay = true;
            scheduler.releaseSpare();
            scheduler.needSpare();
            return false;
        }
        while (true) {
            taken = spare ? scheduler.search.find(this) : nextReady();
            if (taken != null) {
                if (spare) {
                    scheduler.register(this);
                    spare = false;
                    if (turns == 0 && runQueue == null) {
                        runQueue = scheduler.queues.adopt(this); // allocates nothing: the spare flag must be cleared
                    }
                    scheduler.spareFoundWork();
                }
                if (turns != 0) {
                    LogContext.clear(); // of the previous actor
                }
                return true;
            }
            if (spare) {
                spare = false;
                scheduler.releaseSpare();
                // StoreLoad fence: the volatile clear of the flag precedes this check. Otherwise an actor made ready in
                // between would be missed.
                if (!scheduler.queues.haveWorkForSpare()) {
                    return false;
                }
            }
            if (!scheduler.claimSpare()) {
                return false;
            }
            spare = true; // even if no actor is ready: the next message often follows soon
        }
    }

    /** Takes an actor. Without a spare, this worker does not steal: it becomes the spare, which searches all queues. */
    private @Nullable ScheduledActor nextReady() {
        RunQueue own = runQueue();
        ScheduledActor found = own == null ? scheduler.queues.pollShared() : nextReady(own);
        return found == null && scheduler.spareIsComing() ? scheduler.queues.steal(turns) : found;
    }

    private @Nullable ScheduledActor nextReady(RunQueue own) {
        boolean nextLast = turns % TURNS_BEFORE_QUEUES == 0;
        ScheduledActor found = nextLast ? null : own.takeNext();
        if (found == null) {
            found = sharedFirst ? scheduler.queues.pollShared() : own.poll();
            if (found == null) {
                found = sharedFirst ? own.poll() : scheduler.queues.pollShared();
            }
            sharedFirst = !sharedFirst;
        }
        return found == null && nextLast ? own.takeNext() : found;
    }

    private boolean someoneWaits(@Nullable RunQueue own) {
        return scheduler.queues.haveShared() || (own != null && !own.isEmpty());
    }

    // ---- between turns

    /**
     * Keeps the actor while it has messages and no other actor is ready; otherwise takes the next one. Returns false if
     * the worker ends.
     */
    private boolean keepsActor(ScheduledActor actor, boolean more) {
        if (!more) {
            taken = null; // first: the actor may already be running elsewhere
        }
        if (foundByPolling) {
            foundByPolling = false;
            scheduler.search.turnDone();
        }
        RunQueue own = runQueue;
        if (own != null) {
            own.countTurn();
        }
        boolean sliceOver = isSliceOver();
        if (sliceOver) {
            if (named != null) { // only here: a turn that is long enough for a name exceeds a slice
                WorkerNames.reset(this);
            }
            sliceOver = endsSlice();
        }
        boolean makeWay = sliceOver || (isYieldDue() && scheduler.otherThreadsWait());
        if (more) {
            if (!makeWay && !someoneWaits(own)) {
                return true;
            }
            scheduler.queues.append(runQueueToPut(), actor);
            taken = null;
            if (!sliceOver) {
                scheduler.ensureSpare();
            }
        }
        if (sliceOver) {
            makesWay = true;
            shareNext();
            scheduler.handOver();
            return false;
        }
        if (makeWay) {
            if (scheduler.spareIsComing()) {
                makesWay = true;
                if (shareNext()) {
                    scheduler.ensureSpare();
                }
                return false;
            }
            Thread.yield();
        }
        return takeNext();
    }

    /** Called when the slice is over. If no virtual thread waits, not even the spare, the next slice begins instead. */
    private boolean endsSlice() {
        boolean ends = scheduler.threadsWait();
        if (!ends) {
            beginSlice();
        }
        return ends;
    }

    /** Counts a turn. Returns whether this worker should release its carrier thread if other virtual threads wait. */
    private boolean isYieldDue() {
        turns++;
        if (!scheduler.timed) {
            return turns % TURNS_PER_YIELD == 0;
        }
        YieldTimer timer = yieldTimer;
        if (timer == null) {
            yieldTimer = new YieldTimer(System.nanoTime());
            return false;
        }
        return timer.isReadingDue() && timer.isYieldDue(System.nanoTime());
    }

    // ---- the awaited actor, on the stack of the waiting one

    /**
     * Runs the actor for which the running one waits, if it is this worker's next one and no condition prevents it. It
     * runs on the stack of the waiting actor, with an inner {@link ActorThread}, until the reply is complete. The
     * invariants of the kernel hold, since a turn does not depend on the stack: the consumer's role of that actor is
     * taken from the run queue, and an actor with messages left is appended to it.
     *
     * <p>At regular intervals this method leaves the actor to the spare, if there is one, so that the asker parks. A
     * yield would not be sufficient: a carrier thread continues with the queue from which it took the yielding thread,
     * and the yielding thread is added to that queue. Other threads might starve.
     */
    public void runUntil(Future<?> reply, ScheduledActor actor) {
        StackRoom.require(); // a deep recursion of the asker must not make the actor fail
        RunQueue own = runQueue();
        if (own == null || Thread.currentThread().isInterrupted()) {
            return;
        }
        if (isSliceOver() && endsSlice()) {
            beginSlice(); // the next slice, after this thread has parked
            shareNext();
            scheduler.handOver();
            return;
        }
        if (isYieldDue() && scheduler.spareIsComing() && scheduler.threadsWait()) {
            return;
        }
        ActorThread outer = innermost();
        if (outer == null) {
            return;
        }
        Map<String, String> logContext = LogContext.take();
        try {
            runOnStack(outer, own, actor, reply);
        } finally {
            LogContext.putBack(logContext);
        }
    }

    private void runOnStack(ActorThread outer, RunQueue own, ScheduledActor actor, Future<?> reply) {
        ActorThread inner = outer.inner(); // needs memory, so before the actor is taken
        boolean more = false;
        outer.lend();
        try {
            if (own.takeNext(actor)) { // StoreLoad fence: orders the lending before the read of attention
                more = outer.attentionWanted() || actor.runTurn(inner, reply);
            }
        } finally {
            outer.takeBack();
        }
        if (more) {
            scheduler.queues.append(own, actor);
            scheduler.ensureSpare();
        }
    }

    /** The runner of the innermost actor; null if the stack has reached its maximum depth. */
    private @Nullable ActorThread innermost() {
        ActorThread r = this;
        for (int depth = 1; r.isLent(); depth++) {
            if (depth == MAX_DEPTH) {
                return null;
            }
            r = r.inner();
        }
        return r;
    }
}
