package io.fibry.dispatch;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs actors on virtual threads that they borrow.
 *
 * <p>The idea: workers run whichever actors are ready, and because a worker is a virtual thread, a handler may block it. So
 * that a blocked worker never stalls the others, a <em>spare</em> worker is on its way whenever an actor is ready; at most
 * one. An actor made ready by a worker goes to that worker's {@linkplain Slot slot}, from which it takes its own next actor
 * without any thread being woken, and from which others steal; else to the shared queue.
 *
 * <p>Invariant: while an actor is ready, the spare flag is set, or somebody who has just cleared it is about to look. Proof
 * that no ready actor is missed: who makes an actor ready publishes it, <em>then</em> reads the flag; if it is clear, the
 * publisher sets it and starts a spare. If it is set, its holder will clear it, <em>then</em> look at the queue and at every
 * slot; all of these are volatile, so the holder's look comes after the publication and finds the actor, unless someone else
 * has taken it. Both ways of clearing keep to this order: the spare that has found work ({@link #spareFoundWork}) and the
 * one that gives up ({@link Worker#run}), also a worker that has become the spare because it ran out of work. A slot belongs to the scheduler and not to a worker, so that the actor in it can
 * be stolen whatever its worker does.
 *
 * <p>Slots are few, since every look goes over all of them. A worker whose handler blocks for long would keep its slot from
 * the busy ones, so a slot whose owner has not had a turn since somebody last looked is taken over.
 *
 * <p>Workers do not multiply while all of them are busy: every so many turns a worker makes way for the spare if there is
 * one, and with it for the other virtual threads of the program, since they are not preempted.
 */
public final class WorkerScheduler extends Dispatcher {

    private static final int SLOTS_PER_PROCESSOR = 2;

    /**
     * How often a spare that finds nothing looks at the shared queue before it gives up its carrier thread: for about as long as
     * it takes to wake another processor's thread, so that a short pause between two messages does not cost that. As in
     * {@code java.util.concurrent.LinkedTransferQueue}.
     */
    private static final int LOOKS = 1 << 7;

    private static final int MAX_SKIP = 63;

    private static final long OUT_OF_MEMORY_PAUSE_NANOS = 1_000_000;

    private final DispatchListener listener;
    private final Executor threads;
    private final ConcurrentLinkedQueue<Schedulable> shared = new ConcurrentLinkedQueue<>();
    private final Slot[] slots;
    private final boolean severalProcessors;

    /** The spare flag: odd while it is set. It counts up, so that two equal readings say that it was not set in between. */
    private final AtomicInteger spare = new AtomicInteger();

    /** The workers that have found work. */
    private final WorkerTable workers = new WorkerTable();

    /** The spare that is looking at the shared queue just now, or that handles what it has found in this way. A hint. */
    private volatile @Nullable Worker looking;

    // Looks that find nothing get rare: the sender of the next message may be waiting for this very carrier thread.
    // Guarded by the spare flag.
    private int looksToSkip;
    private int skipAfterLook;

    public WorkerScheduler(DispatchListener listener, Executor threads, int processors) {
        this.listener = listener;
        this.threads = threads;
        severalProcessors = processors > 1;
        slots = new Slot[processors * SLOTS_PER_PROCESSOR];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new Slot();
        }
    }

    // ---- making ready

    @Override
    public void ready(Schedulable actor) {
        Worker worker = Worker.current(this);
        Slot slot = worker == null ? null : worker.slotToPut();
        Schedulable toShare = slot == null ? actor : slot.put(actor);
        if (toShare != null) {
            share(toShare);
        }
        if (worker == null) {
            listener.atWork();
        }
        ensureSpare();
    }

    /** Puts an actor into the shared queue. Its consumer's role must not get lost, so this waits for memory if it has to. */
    void share(Schedulable actor) {
        while (true) {
            try {
                shared.offer(actor);
                return;
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(OUT_OF_MEMORY_PAUSE_NANOS);
            }
        }
    }

    /** Sees to it that a spare is on its way. If it cannot be started, the flag is given back for the next one to try. */
    void ensureSpare() {
        if (!claimSpare()) {
            return;
        }
        boolean started = false;
        try {
            threads.execute(new Worker(this, spare.get() >>> 1));
            started = true;
        } finally {
            if (!started) {
                releaseSpare();
            }
        }
    }

    // ---- for workers

    boolean spareIsComing() {
        return (spare.get() & 1) != 0;
    }

    boolean claimSpare() {
        int seen = spare.get();
        return (seen & 1) == 0 && spare.compareAndSet(seen, seen + 1);
    }

    /** Clears the flag, by its holder alone, who has to look again afterwards. */
    void releaseSpare() {
        spare.incrementAndGet();
    }

    /**
     * Any ready actor. A spare that finds none looks on for a moment, at the shared queue alone: what is in a slot has a worker,
     * to which it would be dearer to lose it. Then it yields once before it gives up: often the one who needs it next is waiting
     * for the carrier.
     */
    @Nullable
    Schedulable searchAsSpare(Worker spareWorker) {
        Schedulable found = steal();
        if (found != null) {
            return found;
        }
        found = lookForAMoment(spareWorker);
        if (found == null) {
            Thread.yield();
            found = steal();
        }
        return found;
    }

    private @Nullable Schedulable lookForAMoment(Worker spareWorker) {
        if (!severalProcessors || looksToSkip-- > 0) {
            return null;
        }
        looking = spareWorker;
        for (int i = 0; i < LOOKS; i++) {
            if (!shared.isEmpty()) {
                Schedulable found = shared.poll();
                if (found != null) {
                    skipAfterLook = 0;
                    looksToSkip = 0;
                    return found; // still "looking": the hint is for the one who waits for this actor
                }
            }
            Thread.onSpinWait();
        }
        looking = null;
        skipAfterLook = Math.min(MAX_SKIP, 2 * skipAfterLook + 1);
        looksToSkip = skipAfterLook;
        return null;
    }

    void turnDone(Worker worker) {
        if (looking == worker) {
            looking = null;
        }
    }

    @Override
    public boolean takesAtOnce() {
        return looking != null;
    }

    private @Nullable Schedulable steal() {
        Schedulable found = shared.poll();
        for (int i = 0; found == null && i < slots.length; i++) {
            found = slots[i].take();
        }
        return found;
    }

    /** The spare becomes an ordinary worker, and a new one starts if there is more to do: wake-ups spread one by one. */
    void spareFoundWork(Worker worker) {
        workers.add(worker);
        releaseSpare();
        if (!isQuiet()) {
            ensureSpareForWorker();
        }
    }

    /** As {@link #ensureSpare}, for one who goes on without: this worker looks again itself after its turn. */
    void ensureSpareForWorker() {
        try {
            ensureSpare();
        } catch (OutOfMemoryError | RejectedExecutionException e) {
            listener.spareNotStarted(e);
        }
    }

    @Nullable
    Slot claimSlot(Worker worker) {
        for (Slot slot : slots) {
            if (slot.claimFree(worker)) {
                return slot;
            }
        }
        for (Slot slot : slots) {
            if (slot.claimStuck(worker)) {
                return slot;
            }
        }
        return null;
    }

    @Nullable
    Schedulable takeShared() {
        return shared.poll();
    }

    boolean someoneWaits(@Nullable Slot own) {
        return !shared.isEmpty() || (own != null && !own.isEmpty());
    }

    boolean isQuiet() {
        for (Slot slot : slots) {
            if (!slot.isEmpty()) {
                return false;
            }
        }
        return shared.isEmpty();
    }

    void gone(Worker worker) {
        listener.runnerGone(worker); // its counts first: then who sees that nothing runs sees them all
        workers.remove(worker);
        listener.turnsEnded();
    }

    /** Messages handled by the workers that there are. */
    public long handled() {
        return workers.snapshot().stream().mapToLong(Runner::handled).sum();
    }

    // ---- for the system

    /**
     * Whether nothing is ready and nothing runs. A ready actor reaches a worker only by way of a spare, so if the flag did not
     * move while there was no worker, then no actor moved either while the queue and the slots were looked at.
     */
    public boolean isQuiescent() {
        int before = spare.get();
        return (before & 1) == 0 && workers.isEmpty() && isQuiet() && spare.get() == before;
    }

    /** Moves whenever a worker is started. */
    public int spareStamp() {
        return spare.get();
    }

    /** Shows the actors at work. */
    public void forEachRunning(Consumer<? super Schedulable> action) {
        workers.snapshot().forEach(worker -> worker.forEachCurrent(action));
    }
}
