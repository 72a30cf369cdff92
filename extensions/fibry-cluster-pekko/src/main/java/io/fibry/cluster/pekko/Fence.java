package io.fibry.cluster.pekko;

import io.fibry.cluster.NoMajorityException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets a message begin only while this node surely owns its entities.
 *
 * <p>The idea. Each node asks the others several times a second whether it is still a member. A node that knows of the removal of the
 * asker says no. So a <i>confirmation</i> is the newest time at which a majority had not heard of a removal of this node: the time when the
 * question was sent. A message may begin while the confirmation is not older than {@link Timing#confirmation}.
 *
 * <p>The proof. Assume that the others remove this node. It first becomes <i>down</i>, and the leader turns that into <i>removed</i> only
 * when all members on its side have seen it: those are a majority, since only a majority may remove. Any majority that confirms has a
 * member in common with them ({@link Voters}), and that one says no from then on. So no confirmation is newer than the removal. Nobody
 * else begins an entity of this node until the {@link Timing#margin} after the removal, which is longer than a confirmation is valid.
 *
 * <p>It makes no difference why a node does not hear of its removal: a partition, or a process that has been frozen. The clock goes on
 * while a process is frozen; when it wakes, its confirmation is old. A handler that had begun before is not stopped by this. It is
 * interrupted as soon as the node learns that it has been removed.
 */
final class Fence {

    private final long validNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final CompletableFuture<@Nullable Void> opened = new CompletableFuture<>();

    // Written under the lock.
    private volatile boolean confirmed;
    private volatile long confirmedAt;
    private volatile boolean closed;

    Fence(Duration valid) {
        validNanos = valid.toNanos();
    }

    /** Completes with the first confirmation. */
    CompletableFuture<@Nullable Void> opened() {
        return opened;
    }

    /** A majority had not heard of a removal at that time. */
    void confirm(long at) {
        lock.lock();
        try {
            if (!confirmed || at - confirmedAt > 0) {
                confirmedAt = at;
                confirmed = true;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        opened.complete(null);
    }

    /** This node has been removed: no message begins any more. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether a message may begin now. */
    boolean isOpen() {
        return !closed && confirmed && System.nanoTime() - confirmedAt < validNanos;
    }

    /**
     * Waits until a message may begin.
     *
     * @throws NoMajorityException if this node has been removed
     */
    void pass() throws InterruptedException {
        if (isOpen()) {
            return;
        }
        lock.lockInterruptibly();
        try {
            while (!isOpen()) {
                if (closed) {
                    throw new NoMajorityException("this node is no longer a part of the cluster");
                }
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
