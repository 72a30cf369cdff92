package io.fibry.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * The search of a scheduler's spare for a ready actor. One thread at a time searches: the holder of the spare flag.
 *
 * <p>Each search writes the fields of this object. The padding keeps them in cache lines of their own: every sender of
 * a message reads the fields of the scheduler and of its {@link RunQueues}, and would load their cache lines again
 * after each search.
 */
@SuppressWarnings("unused") // the padding
final class SpareSearch {

    /**
     * The number of times that an idle spare polls the shared queue before it releases its carrier thread: for about as
     * long as it takes to wake a thread, as in {@code java.util.concurrent.LinkedTransferQueue}.
     */
    private static final int LOOKS = 1 << 7;

    private static final int MAX_SKIP = 63;

    private final RunQueues queues;
    private final boolean severalProcessors;
    private final WaitingThreads threads;

    // All of these fields are long: HotSpot arranges the long fields of a class in their order, and may put a smaller
    // one before the padding.
    private long p0, p1, p2, p3, p4, p5, p6;

    /** The id of the thread that polls the shared queue, or that runs an actor found by polling; 0 if none. A hint. */
    private volatile long looking;

    /** The number of searches of the queues. */
    private long polls;

    /** The number of searches without an actor, since one found a next actor or the run queues became lazy. */
    private long fruitless;

    // Backoff: unsuccessful polling becomes rare, since the sender of the next message may need this carrier thread.
    private long looksToSkip;
    private long skipAfterLook;

    private long q0, q1, q2, q3, q4, q5, q6;

    SpareSearch(RunQueues queues, boolean severalProcessors, WaitingThreads threads) {
        this.queues = queues;
        this.severalProcessors = severalProcessors;
        this.threads = threads;
    }

    /**
     * Finds a ready actor: in the shared queue, in a run queue, or a next actor that its worker does not take soon. A
     * spare that finds none polls the shared queue briefly. Before it gives up, it yields once in two cases: if a
     * virtual thread waits for a carrier thread, which may be the sender of the next message, and if there is a next
     * actor, since its worker needs time to take it.
     */
    @Nullable
    ScheduledActor find(Worker spare) {
        ScheduledActor found = pollOrSteal();
        if (found != null) {
            return found;
        }
        queues.beginSearch();
        found = lookForAMoment(spare);
        if (found == null && (threads.areMoreThan(0) || queues.haveNext())) {
            Thread.yield();
            found = pollOrSteal();
        }
        return found == null ? takeWaiting() : found;
    }

    /**
     * Takes a shared or a queued actor; null if there is none. Every second call begins with the run queues: otherwise
     * the queued actors of a blocked worker would starve while the shared queue is never empty, or the shared ones
     * while there are queued ones.
     */
    private @Nullable ScheduledActor pollOrSteal() {
        int number = (int) polls++;
        boolean sharedFirst = number % 2 == 0;
        ScheduledActor found = sharedFirst ? queues.pollShared() : queues.steal(number / 2);
        if (found != null) {
            return found;
        }
        return sharedFirst ? queues.steal(number / 2) : queues.pollShared();
    }

    private @Nullable ScheduledActor lookForAMoment(Worker spare) {
        if (!severalProcessors || looksToSkip-- > 0) {
            return null;
        }
        looking = Thread.currentThread().threadId();
        for (int i = 0; i < LOOKS; i++) {
            if (queues.haveShared()) {
                ScheduledActor found = queues.pollShared();
                if (found != null) {
                    skipAfterLook = 0;
                    looksToSkip = 0;
                    spare.foundByPolling = true; // the hint remains set for the thread that waits for this actor
                    return found;
                }
            }
            Thread.onSpinWait();
        }
        looking = 0;
        skipAfterLook = Math.min(MAX_SKIP, 2 * skipAfterLook + 1);
        looksToSkip = skipAfterLook;
        return null;
    }

    private @Nullable ScheduledActor takeWaiting() {
        ScheduledActor found = queues.takeWaiting();
        if (found != null) {
            fruitless = 0;
        } else if (queues.areEager() && ++fruitless >= queues.patience()) {
            fruitless = 0;
            queues.becomeLazy();
        }
        return found;
    }

    /** Whether a thread polls the shared queue, or runs an actor found by polling. A hint. */
    boolean isPolling() {
        return looking != 0;
    }

    /** Called by a worker after its turn with an actor found by polling. */
    void turnDone() {
        if (looking == Thread.currentThread().threadId()) {
            looking = 0;
        }
    }
}
