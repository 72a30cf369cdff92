package io.fibry.dispatch;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The ready actors of a scheduler: a FIFO queue that all workers share, and the run queues of the workers, with an
 * adaptive policy for the <em>next</em> actors in them.
 *
 * <p>There are few run queues, since every search scans all of them. A worker whose handler blocks for long would keep
 * its run queue from the busy workers. A run queue is therefore taken over if its owner has not run a turn since the
 * last search.
 *
 * <p><b>A queued actor always needs a spare</b>, and so does a shared one. A worker without either steals the first
 * queued actor of another worker, one at a time. If a worker ends and leaves queued actors behind, a new spare that
 * has found work adopts its run queue.
 *
 * <p><b>Whether a next actor needs a spare</b> depends on the handler that made it ready. Most handlers end soon, and
 * their worker continues with its next actor. A spare then comes too late, and only costs time. But the handler may
 * block, or take long. The run queues are <em>eager</em> at first: a next actor gets a spare. After a number of spares
 * that found no actor, since the last one that found a next actor, they are <em>lazy</em>: it gets none. From then on
 * the {@link WorkerWatch} checks the next actors. If it finds one that was already there at its last check, it
 * requests a spare, and the run queues are eager again, for longer than before. Go's scheduler is similar: its {@code
 * sysmon} retakes the processors of blocked threads.
 *
 * <p>A thread that is about to wait in the kernel itself, for a reply or for an end, first shares its next actor, and
 * so does a worker that ends.
 *
 * <p><b>No next actor stays in a lazy run queue.</b> The watch checks the run queues of every scheduler that has
 * workers. It knows a worker from before its first turn until after it has left its run queue. An actor may be put
 * into the run queue of a worker that has lost it to another one, and both may then end. The watch therefore also
 * keeps a scheduler until there are no ready actors. If a run queue has a next actor at two checks with the same
 * number of {@code puts}, it is the same actor; that number may be stale, which only delays the detection by one
 * check. The watch makes the run queues eager <em>before</em> it ensures a spare. Either the spare flag is clear and
 * the watch starts a spare, or the holder that clears the flag later sees the run queues eager and finds the actor.
 */
final class RunQueues {

    private static final BiConsumer<ConcurrentLinkedQueue<ScheduledActor>, ScheduledActor> OFFER =
            ConcurrentLinkedQueue::offer;

    private static final int PER_PROCESSOR = 2;

    private static final int LEAST_PATIENCE = 1 << 4;
    private static final int MOST_PATIENCE = 1 << 16;

    /** The number of consecutive checks without a stuck actor after which the patience decreases. */
    private static final int LOOKS_TO_FORGET = 1 << 10;

    private final ConcurrentLinkedQueue<ScheduledActor> shared = new ConcurrentLinkedQueue<>();
    private final RunQueue[] queues;
    private final boolean watched;
    private volatile boolean eager = true;

    /** The number of spares that may find no actor. Written only by the watch, a hint for spares. */
    private volatile int patience = LEAST_PATIENCE;

    private int looks; // of the watch

    static {
        link();
    }

    /**
     * Executes the steps of a shared queue once. The first execution needs memory, and a worker that waits for the
     * outcome of its start, and checks the queue, must not fail if memory is exhausted.
     */
    private static void link() {
        var queue = new ConcurrentLinkedQueue<Integer>();
        for (int i = 0; i < 3; i++) {
            queue.offer(i);
        }
        while (!queue.isEmpty()) {
            queue.poll();
        }
    }

    /** @param watched whether the {@link WorkerWatch} checks the next actors; otherwise the run queues stay eager */
    RunQueues(int processors, boolean watched) {
        this.watched = watched;
        int least = processors * PER_PROCESSOR;
        int powerOfTwo = Integer.highestOneBit(2 * least - 1);
        queues = new RunQueue[powerOfTwo]; // a search uses a mask, which takes less time than a division
        for (int i = 0; i < queues.length; i++) {
            queues[i] = new RunQueue();
        }
    }

    /** Whether a next actor gets a spare. */
    boolean areEager() {
        return eager;
    }

    boolean haveWorkForSpare() {
        return eager ? !areEmpty() : haveShared() || haveQueued();
    }

    boolean areEmpty() {
        if (haveShared()) {
            return false;
        }
        for (RunQueue queue : queues) {
            if (!queue.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    boolean haveNext() {
        for (RunQueue queue : queues) {
            if (queue.hasNext()) {
                return true;
            }
        }
        return false;
    }

    private boolean haveQueued() {
        for (RunQueue queue : queues) {
            if (queue.hasQueued()) {
                return true;
            }
        }
        return false;
    }

    /** Passes all ready actors to the action. */
    void forEach(Consumer<? super ScheduledActor> action) {
        shared.forEach(action);
        for (RunQueue queue : queues) {
            queue.forEach(action);
        }
    }

    /** Appends an actor to the queued ones, or to the shared ones if there is no room. The caller ensures a spare. */
    void append(@Nullable RunQueue own, ScheduledActor actor) {
        if (own == null || !own.append(actor)) {
            share(actor);
        }
    }

    // ---- the shared queue

    /** Retries if memory runs out: the consumer's role must not be lost. The caller ensures a spare. */
    void share(ScheduledActor actor) {
        OutOfMemory.repeat(OFFER, shared, actor);
    }

    boolean haveShared() {
        return !shared.isEmpty();
    }

    @Nullable
    ScheduledActor pollShared() {
        return shared.poll();
    }

    // ---- the run queues

    /** Claims a run queue for this worker; null if all of them are in use. */
    @Nullable
    RunQueue claim(Worker worker) {
        for (RunQueue queue : queues) {
            if (queue.claimFree(worker)) {
                return queue;
            }
        }
        for (RunQueue queue : queues) {
            if (queue.claimStuck(worker)) {
                return queue;
            }
        }
        return null;
    }

    /** Claims a run queue whose owner has left queued actors behind; null if there is none. */
    @Nullable
    RunQueue adopt(Worker worker) {
        for (RunQueue queue : queues) {
            if (queue.hasQueued() && queue.claimFree(worker)) {
                return queue;
            }
        }
        return null;
    }

    /**
     * Takes a queued actor; null if there is none. Never a next actor, which its worker is about to take.
     *
     * @param turn determines the run queue to begin with: none of them always comes last
     */
    @Nullable
    ScheduledActor steal(int turn) {
        for (int i = 0; i < queues.length; i++) {
            RunQueue queue = queues[(turn + i) & (queues.length - 1)];
            ScheduledActor found = queue.poll();
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    // ---- for the spare

    /** Begins a search for actors that their workers do not take soon. */
    void beginSearch() {
        for (RunQueue queue : queues) {
            queue.note();
        }
    }

    /** Takes an actor that has been the next one of its worker since {@link #beginSearch}; null if there is none. */
    @Nullable
    ScheduledActor takeWaiting() {
        for (RunQueue queue : queues) {
            if (queue.isAsNoted()) {
                ScheduledActor found = queue.takeNext();
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** The number of searches without an actor after which the run queues become lazy. */
    int patience() {
        return patience;
    }

    /** Makes the run queues lazy, unless the {@link WorkerWatch} does not check the next actors. */
    void becomeLazy() {
        eager = !watched;
    }

    // ---- for the thread of the WorkerWatch

    /** Whether an actor has been the next one of a lazy run queue since the last check. */
    boolean isOneStuck() {
        if (eager) {
            return false;
        }
        boolean stuck = false;
        for (RunQueue queue : queues) {
            stuck |= queue.isAsWatched();
        }
        if (stuck) {
            looks = 0;
            patience = Math.min(MOST_PATIENCE, patience * 4);
            eager = true;
        } else if (++looks == LOOKS_TO_FORGET) {
            looks = 0;
            patience = Math.max(LEAST_PATIENCE, patience / 4);
        }
        return stuck;
    }
}
