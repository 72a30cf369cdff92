package io.fibry.dispatch;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs actors on virtual threads, which they hold for a turn.
 *
 * <p>Workers run any ready actor. A worker is a virtual thread, so a handler may block it. To prevent a blocked worker
 * from stalling ready actors, a <em>spare</em> worker is started whenever an actor is ready; there is at most one. The
 * spare is the {@linkplain KeptWorker kept worker}, if there is one, or else a new worker. An actor that a worker makes
 * ready is put into that worker's {@linkplain RunQueue run queue}: it becomes the worker's <em>next</em> actor, and the
 * previous one is appended to the queue behind it. An actor thus tends to stay with one worker, and its memory in the
 * caches of one processor. Other threads add ready actors to a queue that all workers share. A worker takes its next
 * actor first, then its queued actors and the shared ones by turns, and steals a queued actor from another worker if
 * there are none.
 *
 * <p><b>No ready actor is missed.</b> A next actor has a worker, and may wait for it: {@link RunQueues} describes
 * whether it needs a spare, and how the {@link WorkerWatch} handles it otherwise. All other ready actors <em>need a
 * spare</em>. Invariant: while an actor needs a spare, the spare flag is set, or a worker has just cleared it and has
 * yet to check all queues, or the {@link WorkerWatch} has been told to start a spare. The publisher makes the actor
 * visible, <em>then</em> reads the flag. The holder of the flag clears it, <em>then</em> checks the shared queue and
 * every run queue, including the next actors if the run queues are eager. All of these accesses are volatile, so there
 * are two interleavings:
 *
 * <ul>
 *   <li>The publisher reads the flag as clear. It then sets the flag and starts a spare.
 *   <li>The publisher reads the flag as set. Its holder then clears it later, and checks after the publication. It
 *       finds the actor, unless another worker has taken it, or unless it is a next actor and the run queues have
 *       become lazy in the meantime.
 * </ul>
 *
 * <p>The flag is cleared in this order by the spare that has found work ({@link #spareFoundWork}), and by the one that
 * gives up ({@code Worker.takeNext}), or that leaves because there is no work when it begins ({@link #spareLeaves}). If
 * a spare could not be started, or makes way, the watch starts another one. The same holds for a worker that became the
 * spare because it ran out of work. A run queue belongs to the scheduler rather than a worker, so the actors in it can
 * be taken regardless of the state of its worker.
 *
 * <p>The number of workers does not grow while all of them are busy. After a time or a number of turns, a worker ends
 * in favor of a spare that has been started. This also lets other virtual threads of the program run, since virtual
 * threads are not preempted.
 */
public final class WorkerScheduler extends Dispatcher {

    private static final BiConsumer<WorkerScheduler, Worker> ADD = WorkerScheduler::add;
    private static final BiConsumer<WorkerScheduler, Worker> REMOVE = WorkerScheduler::remove;

    private final DispatchListener listener;
    private final Executor threads;
    final RunQueues queues;
    final SpareSearch search;
    final KeptWorker kept = new KeptWorker();
    final boolean timed; // see the constructor
    private final WaitingThreads waitingThreads;

    /**
     * The spare flag: odd while it is set. It only increases, so two equal values mean that it was not set in between.
     */
    private final AtomicInteger spare = new AtomicInteger();

    /** The workers that have found work. */
    private final WorkerTable workers = new WorkerTable();

    // For the WorkerWatch: whether it watches this scheduler, whether it has to start a spare, its link, its count.
    private final AtomicBoolean watched = new AtomicBoolean();
    private volatile boolean needsSpare;

    /** See {@link #handOver}. A hint. */
    private volatile boolean nextSpareMakesWay;

    @Nullable
    WorkerScheduler nextWatched;

    private int idleTicks;
    private int stampAtTick;

    /** @param timed whether workers yield to other virtual threads after a time slice */
    public WorkerScheduler(DispatchListener listener, Executor threads, int processors, boolean timed) {
        this(listener, threads, processors, timed, timed ? WaitingThreads.COUNTED : WaitingThreads.ASSUMED);
    }

    WorkerScheduler(
            DispatchListener listener, Executor threads, int processors, boolean timed, WaitingThreads waitingThreads) {
        this.listener = listener;
        this.threads = threads;
        this.timed = timed;
        this.waitingThreads = waitingThreads;
        WorkerWatch.prepare();
        boolean severalProcessors = processors > 1;
        queues = new RunQueues(processors, timed && severalProcessors); // on a single processor a spare has no cost
        search = new SpareSearch(queues, severalProcessors, waitingThreads);
    }

    // ---- making ready

    @Override
    public void ready(ScheduledActor actor) {
        Worker worker = Worker.current(this);
        RunQueue own = worker == null ? null : worker.runQueueToPut();
        ScheduledActor toAppend = own == null ? actor : own.putNext(actor);
        if (toAppend != null) {
            queues.append(own, toAppend);
        } else if (!queues.areEager()) {
            return;
        }
        if (worker == null) {
            listener.active();
        }
        ensureSpare();
    }

    /** Ensures that a spare is started, now or as soon as possible. Throws nothing: a message has been accepted. */
    void ensureSpare() {
        Throwable failure = claimSpare() ? startSpare() : null;
        if (failure != null) {
            listener.spareNotStarted(failure); // last: a log line may block
        }
    }

    /** Called with the spare flag set. Returns the failure of the start, or null. */
    private @Nullable Throwable startSpare() {
        if (kept.wake()) {
            return null;
        }
        Worker worker = null;
        boolean started = false;
        Throwable failure = null;
        try {
            worker = new Worker(this, spare.get() >>> 1);
            threads.execute(worker);
            started = true;
        } catch (OutOfMemoryError | RejectedExecutionException e) {
            failure = e;
        } finally {
            boolean holdsFlag = worker == null || worker.mayRun(started);
            if (!started && holdsFlag) {
                releaseSpare();
                needSpare();
            }
        }
        return failure;
    }

    /**
     * Called by a spare that begins. If there is no work and the outcome of its start is not known yet, it need not
     * wait for it: returns true, and the spare ends. Its thread must not block, so it reports no failure.
     */
    boolean spareLeaves(ThreadStart start) {
        if (queues.haveWorkForSpare() || !start.leave()) {
            return false;
        }
        releaseSpare();
        if (queues.haveWorkForSpare() && claimSpare()) {
            startSpare();
        }
        listener.turnsEnded();
        return true;
    }

    /** Makes the {@link WorkerWatch} start a spare. Allocates nothing. */
    void needSpare() {
        needsSpare = true;
        if (isWatchedAlready()) {
            WorkerWatch.lookAtOnce();
        }
    }

    /**
     * Called by a worker that ends because its time slice is over, to release its carrier thread. The carrier thread
     * continues with the queue from which it took the worker, and a spare that has just been started is likely to be
     * there. That spare therefore also ends, in favor of one that the {@link WorkerWatch} starts. Nothing happens if no
     * actor needs a spare: the check sees those that this worker has shared.
     */
    void handOver() {
        if (queues.haveWorkForSpare()) {
            if (spareIsComing()) {
                nextSpareMakesWay = true;
            } else {
                needSpare();
            }
        }
    }

    /** Whether the spare, which has just begun, has to end at once; see {@link #handOver}. */
    boolean spareMakesWay() {
        boolean makesWay = nextSpareMakesWay;
        if (makesWay) {
            nextSpareMakesWay = false;
        }
        return makesWay;
    }

    /** Makes the {@link WorkerWatch} watch this scheduler. Returns whether it already did. */
    private boolean isWatchedAlready() {
        if (watched.get() || !watched.compareAndSet(false, true)) {
            return true;
        }
        WorkerWatch.watch(this);
        return false;
    }

    // ---- for the thread of the WorkerWatch

    void startSpareIfNeeded() {
        if (needsSpare || queues.isOneStuck()) {
            needsSpare = false;
            ensureSpare();
        }
    }

    /** Returns up to this number of workers; the next call continues with the next ones. */
    List<Worker> someWorkers(int most) {
        return workers.some(most);
    }

    /** Whether the next actor of a worker may be stuck until the next check. */
    boolean hasToBeWatchedClosely() {
        return !queues.areEager();
    }

    /** The number of consecutive ticks, up to this one, without a worker, and without a spare in between. */
    int idleTicks() {
        int stamp = spare.get();
        idleTicks = workers.isEmpty() && stamp == stampAtTick ? idleTicks + 1 : 0;
        stampAtTick = stamp;
        return idleTicks;
    }

    /** Stops watching this scheduler if it is idle. Returns whether the watch has to drop it from its list. */
    boolean canBeDropped() {
        kept.end();
        watched.set(false);
        boolean isIdle = workers.isEmpty() && queues.areEmpty() && !needsSpare && kept.isNone();
        // If another thread has pushed it in the meantime, it is on the stack and must not stay in the list as well.
        return isIdle || !watched.compareAndSet(false, true);
    }

    // ---- for workers

    boolean spareIsComing() {
        return (spare.get() & 1) != 0;
    }

    /** Whether a virtual thread waits for a carrier thread. A hint. */
    boolean threadsWait() {
        return waitingThreads.areMoreThan(0);
    }

    /**
     * Whether a virtual thread other than the spare waits for a carrier thread. A hint. A worker that runs turns takes
     * shared actors itself, and need not make way for the spare before the end of its slice.
     */
    boolean otherThreadsWait() {
        return waitingThreads.areMoreThan(spareIsComing() ? 1 : 0);
    }

    boolean claimSpare() {
        int seen = spare.get();
        return (seen & 1) == 0 && spare.compareAndSet(seen, seen + 1);
    }

    /** Clears the flag. Called only by its holder, which has to check for ready actors again afterwards. */
    void releaseSpare() {
        spare.incrementAndGet();
    }

    @Override
    public boolean hasSpinningWorker() {
        return search.isPolling();
    }

    /** Registers a worker, for a close of the system. Called before the worker clears the spare flag. */
    void register(Worker worker) {
        OutOfMemory.repeat(ADD, this, worker);
    }

    private void add(Worker worker) {
        workers.add(worker);
        if (timed) {
            isWatchedAlready();
        }
    }

    /**
     * Makes the spare an ordinary worker, and starts a new spare if there is more work. Wake-ups thus propagate one by
     * one.
     */
    void spareFoundWork() {
        releaseSpare();
        if (queues.haveWorkForSpare()) {
            ensureSpare();
        }
    }

    /** Called when the worker ends. */
    void gone(Worker worker) {
        OutOfMemory.repeat(REMOVE, this, worker);
        listener.turnsEnded();
    }

    /**
     * Called by a worker that has run out of work. Keeps it until the next spare is needed, unless another worker is
     * kept. Workers that a test controls are not kept: they have to take the same steps in each run. Nor are platform
     * threads, since they belong to the executor.
     *
     * @return whether the worker is the spare; otherwise it ends
     */
    boolean keeps(Worker worker) {
        if (!timed || !Thread.currentThread().isVirtual()) {
            return false;
        }
        LogContext.clear(); // of its last actor
        if (!kept.publish(worker)) {
            return false;
        }
        isWatchedAlready(); // after the publication: the watch ends the kept worker of an idle scheduler
        return kept.await(worker);
    }

    private void remove(Worker worker) {
        listener.runnerGone(worker); // counts before the removal: a thread that sees no worker sees all counts
        workers.remove(worker);
    }

    /** Passes the current workers to the action. */
    public void forEachWorker(Consumer<? super ActorThread> action) {
        workers.snapshot().forEach(action);
    }

    // ---- for the system

    /**
     * Whether no actor is ready or running. A ready actor reaches a worker only through a spare. If the flag is the
     * same before and after, and there was no worker, no actor moved during the check of the queues.
     */
    public boolean isQuiescent() {
        int before = spare.get();
        return (before & 1) == 0 && workers.isEmpty() && queues.areEmpty() && spare.get() == before;
    }

    /** A stamp that changes whenever a worker is started. */
    public int spareStamp() {
        return spare.get();
    }

    /** The number of workers that have found work. */
    public long workers() {
        return workers.size();
    }

    /** The total number of workers that have found work. A hint. */
    public long workersStarted() {
        return workers.added();
    }

    /** Passes the actors that wait for a worker to the action. A snapshot. */
    public void forEachReady(Consumer<? super ScheduledActor> action) {
        queues.forEach(action);
    }

    /** Passes the running actors to the action. */
    public void forEachRunning(Consumer<? super ScheduledActor> action) {
        workers.snapshot().forEach(worker -> worker.forEachCurrent(action));
    }
}
