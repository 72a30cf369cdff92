package io.fibry.dispatch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The workers that have found work. Read by a close of the system.
 *
 * <p>There may be a million blocked workers. They are therefore kept in arrays, and each stores its position. A hash
 * set would need a node and an identity hash for each worker. A linked list is slow for the garbage collector: it
 * cannot be traversed in parallel, and each change of a link in an old object triggers the collector's write barrier.
 */
final class WorkerTable {

    private static final int STRIPE_BITS = 4;
    private static final int STRIPES = 1 << STRIPE_BITS;

    private final Stripe[] stripes = new Stripe[STRIPES];

    // The position at which the next call of some(..) begins. Confined to one thread.
    private int nextStripe;
    private int nextIndex;

    WorkerTable() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe(i);
        }
    }

    /** The position of a worker that is not in the table, and belongs to the stripe of this number. Negative. */
    static int nowhere(int number) {
        return ~(number & (STRIPES - 1));
    }

    /** Adds a worker, unless it is already in the table. Called only by that worker's thread. */
    void add(Worker worker) {
        if (worker.place < 0) {
            stripes[~worker.place].add(worker);
        }
    }

    /** Removes a worker, if it is in the table. Called only by that worker's thread. */
    void remove(Worker worker) {
        if (worker.place >= 0) {
            stripes[worker.place & (STRIPES - 1)].remove(worker);
        }
    }

    boolean isEmpty() {
        for (Stripe stripe : stripes) {
            if (stripe.size != 0) {
                return false;
            }
        }
        return true;
    }

    int size() {
        int size = 0;
        for (Stripe stripe : stripes) {
            size += stripe.size;
        }
        return size;
    }

    /** The total number of workers added. */
    long added() {
        long added = 0;
        for (Stripe stripe : stripes) {
            added += stripe.added;
        }
        return added;
    }

    List<Worker> snapshot() {
        var all = new ArrayList<Worker>();
        for (Stripe stripe : stripes) {
            stripe.addTo(all, 0, Integer.MAX_VALUE);
        }
        return all;
    }

    /** Returns up to this number of workers; the next call continues after them. Called by one thread. */
    List<Worker> some(int most) {
        var some = new ArrayList<Worker>();
        for (int i = 0;
                i <= STRIPES && some.size() < most;
                i++) { // visits the first stripe twice: the previous call may have ended in the middle of it
            nextIndex = stripes[nextStripe].addTo(some, nextIndex, most);
            if (nextIndex == 0) {
                nextStripe = (nextStripe + 1) % STRIPES;
            }
        }
        return some;
    }

    /** An array of workers without gaps: the last one moves to the position of a removed one. */
    private static final class Stripe {
        private static final int SMALL = 16;

        private final ReentrantLock lock = new ReentrantLock();
        private final int number;
        private @Nullable Worker[] workers = new Worker[SMALL]; // guarded by the lock, as is Worker.place of each
        private volatile int size; // written under the lock, as is the next
        private long added; // a hint for other threads

        Stripe(int number) {
            this.number = number;
        }

        void add(Worker worker) {
            lock.lock();
            try {
                int n = size;
                if (n == workers.length) {
                    workers = Arrays.copyOf(workers, 2 * n);
                }
                put(worker, n);
                added++;
                size = n + 1;
            } finally {
                lock.unlock();
            }
        }

        void remove(Worker worker) {
            lock.lock();
            try {
                int last = size - 1;
                Worker moved = workers[last];
                if (moved != null && moved != worker) {
                    put(moved, worker.place >>> STRIPE_BITS);
                }
                workers[last] = null;
                worker.place = nowhere(number);
                size = last;
                if (last > SMALL && last < workers.length / 4) {
                    workers = Arrays.copyOf(workers, workers.length / 2); // last step: it may run out of memory
                }
            } finally {
                lock.unlock();
            }
        }

        /**
         * Adds workers from this index on, up to the given size. Returns the index of the next one, or 0 at the end.
         */
        int addTo(List<Worker> some, int from, int most) {
            lock.lock();
            try {
                int i = from;
                for (; i < size && some.size() < most; i++) {
                    Worker worker = workers[i];
                    if (worker != null) {
                        some.add(worker);
                    }
                }
                return i < size ? i : 0;
            } finally {
                lock.unlock();
            }
        }

        private void put(Worker worker, int index) {
            workers[index] = worker;
            worker.place = index << STRIPE_BITS | number;
        }
    }
}
