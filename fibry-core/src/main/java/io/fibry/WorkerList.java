package io.fibry;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The workers that have found work, for those who close the system. There may be a million of them, each for a moment or
 * blocked, so they carry the links themselves: a hash set would cost a node and an identity hash for each.
 */
final class WorkerList {

    private static final int STRIPES = 16;

    private final Stripe[] stripes = new Stripe[STRIPES];

    WorkerList() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    /** Adds a worker, once. */
    void add(Worker worker) {
        if (!worker.listed) {
            worker.listed = true;
            stripe(worker).add(worker);
        }
    }

    void remove(Worker worker) {
        if (worker.listed) {
            stripe(worker).remove(worker);
        }
    }

    boolean isEmpty() {
        for (Stripe stripe : stripes) {
            if (stripe.first != null) {
                return false;
            }
        }
        return true;
    }

    List<Worker> snapshot() {
        var all = new ArrayList<Worker>();
        for (Stripe stripe : stripes) {
            stripe.addTo(all);
        }
        return all;
    }

    private Stripe stripe(Worker worker) {
        return stripes[worker.number & (STRIPES - 1)];
    }

    private static final class Stripe {
        private final ReentrantLock lock = new ReentrantLock();
        private volatile @Nullable Worker first; // written under the lock

        void add(Worker worker) {
            lock.lock();
            try {
                Worker next = first;
                worker.next = next;
                if (next != null) {
                    next.previous = worker;
                }
                first = worker;
            } finally {
                lock.unlock();
            }
        }

        void remove(Worker worker) {
            lock.lock();
            try {
                Worker previous = worker.previous;
                Worker next = worker.next;
                if (previous != null) {
                    previous.next = next;
                } else {
                    first = next;
                }
                if (next != null) {
                    next.previous = previous;
                }
            } finally {
                lock.unlock();
            }
        }

        void addTo(List<Worker> all) {
            lock.lock();
            try {
                for (Worker worker = first; worker != null; worker = worker.next) {
                    all.add(worker);
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
