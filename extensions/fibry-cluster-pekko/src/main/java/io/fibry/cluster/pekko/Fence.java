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
 * else begins an entity of this node until the {@link Timing#margin} after the removal, which is longer than a confirmation is valid:
 * {@link Takeover} sees to that.
 *
 * <p>It makes no difference why a node does not hear of its removal: a partition, or a process that has been frozen. The clock goes on
 * while a process is frozen; when it wakes, its confirmation is old. The time of a paused virtual machine may stand still, but then its
 * wall clock may go on: a confirmation is valid only by both clocks. A handler that had begun before is not stopped by this. It is
 * interrupted as soon as the node learns that it has been removed.
 */
final class Fence {

    /** A time by two clocks. The wall clock may be set: so it only tells what is old, and not which of two times is the later one. */
    record Moment(long nanos, long millis) {

        static Moment now() {
            return new Moment(System.nanoTime(), System.currentTimeMillis());
        }

        boolean isAfter(Moment other) {
            return nanos - other.nanos > 0;
        }

        private boolean isWithin(Duration duration) {
            return System.nanoTime() - nanos < duration.toNanos()
                    && System.currentTimeMillis() - millis < duration.toMillis();
        }
    }

    private final Duration valid;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final CompletableFuture<@Nullable Void> opened = new CompletableFuture<>();

    // Written under the lock.
    private volatile @Nullable Moment confirmed;
    private volatile boolean closed;

    Fence(Duration valid) {
        this.valid = valid;
    }

    /** Completes with the first confirmation. */
    CompletableFuture<@Nullable Void> opened() {
        return opened;
    }

    /** A majority had not heard of a removal at that time. */
    void confirm(Moment at) {
        lock.lock();
        try {
            Moment before = confirmed;
            if (before == null || at.isAfter(before)) {
                confirmed = at;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        opened.complete(null);
    }

    /** A member says no that has said yes before: the confirmation is not worth anything any more. */
    void revoke() {
        lock.lock();
        try {
            confirmed = null;
        } finally {
            lock.unlock();
        }
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
        Moment at = confirmed;
        return !closed && at != null && at.isWithin(valid);
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
