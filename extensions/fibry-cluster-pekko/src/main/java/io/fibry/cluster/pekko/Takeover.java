package io.fibry.cluster.pekko;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets the entities of a shard begin only when no removed node can begin a message of theirs.
 *
 * <p>Pekko waits for the {@link Timing#margin} itself before it gives the shards of a removed node to others, but a coordinator that is
 * new, and has not known that node, does not. So a node that gets a shard while a member is down, or until the margin after its removal,
 * waits for the rest of that time. It has heard of a removal whose shards it gets: a member is removed only when all others have seen
 * that it is down.
 */
final class Takeover {

    private final long marginNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Long> down = new HashSet<>();
    private boolean someRemoved;
    private long removedAt;

    Takeover(Duration margin) {
        marginNanos = margin.toNanos();
    }

    /** The node with this identity is about to be removed, since it does not answer. */
    void down(long node) {
        lock.lock();
        try {
            down.add(node);
        } finally {
            lock.unlock();
        }
    }

    /** A node that was down has been removed. */
    void removed(long node) {
        lock.lock();
        try {
            down.remove(node);
            someRemoved = true;
            removedAt = System.nanoTime();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether a shard that this node gets now must wait. */
    boolean isUnderWay() {
        lock.lock();
        try {
            return !down.isEmpty() || nanosLeft() > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it is over. */
    void await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!down.isEmpty() || nanosLeft() > 0) {
                if (down.isEmpty()) {
                    long unused = changed.awaitNanos(nanosLeft());
                } else {
                    changed.await();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private long nanosLeft() {
        return someRemoved ? marginNanos - (System.nanoTime() - removedAt) : 0;
    }
}
