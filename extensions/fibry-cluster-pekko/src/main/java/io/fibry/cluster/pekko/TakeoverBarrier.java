package io.fibry.cluster.pekko;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets the entities of a shard begin only when no removed node can begin one of their messages.
 *
 * <p>Pekko itself waits for the {@link Timing#margin} before it reassigns the shards of a removed node, but a new
 * coordinator that has not known this node does not. Therefore a node that receives a shard while a member is down, or
 * within the margin after its removal, waits for the remaining time. A member is removed only when all members that are
 * up have seen that it is down. A node that is joining at that time may see only the removal. A node that joins after
 * the removal does not see it; if it receives a shard within the margin, only the revision of a stored state prevents a
 * second change.
 */
final class TakeoverBarrier {

    private final long marginNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Long> down = new HashSet<>();
    private boolean someRemoved;
    private long removedAt;

    TakeoverBarrier(Duration margin) {
        marginNanos = margin.toNanos();
    }

    /** Records that the node with this identity is down and will be removed. */
    void down(long node) {
        lock.lock();
        try {
            down.add(node);
        } finally {
            lock.unlock();
        }
    }

    /** Records the removal of a node that has not left by itself. */
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

    /** Returns whether a shard that this node receives now must wait. */
    boolean isUnderWay() {
        lock.lock();
        try {
            return !down.isEmpty() || nanosLeft() > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no takeover is under way. */
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
