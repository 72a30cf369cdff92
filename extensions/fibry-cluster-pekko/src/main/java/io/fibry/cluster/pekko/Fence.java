package io.fibry.cluster.pekko;

import io.fibry.cluster.NoMajorityException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets a message begin only while this node certainly owns its entities.
 *
 * <p><b>Idea.</b> Each node asks the others several times per second whether it is still a member. A node that has
 * learned of the removal of the asker answers no. A <i>confirmation</i> is the latest time at which a majority had not
 * learned of a removal of this node; it is the time at which the question was sent. A message may begin while the age
 * of the confirmation is less than {@link Timing#confirmation}.
 *
 * <p><b>Proof.</b> Assume that the other nodes remove this node. It first becomes <i>down</i>. The leader changes the
 * status to <i>removed</i> only when all members on its side have seen it; they form a majority, because only a
 * majority may remove a member. Any two majorities have a member in common ({@link Quorum}), and this member answers no
 * from then on. Therefore no confirmation is later than the removal. No other node starts an entity of this node until
 * the {@link Timing#margin} after the removal has passed, which {@link TakeoverBarrier} enforces. The margin is longer
 * than the validity of a confirmation.
 *
 * <p>The reason for which a node does not learn of its removal is irrelevant: it may be a partition or a frozen
 * process. The clocks advance while a process is frozen, so its confirmation has expired when it resumes. In a paused
 * virtual machine, the monotonic clock may stop while the wall clock advances; a confirmation is therefore valid only
 * by both clocks. The fence does not stop a handler that has already begun. The handler is interrupted when the node
 * learns that it has been removed.
 */
final class Fence {

    /**
     * A time by two clocks. The wall clock can be adjusted. It is therefore used only for the age of a moment, not for
     * the order of two moments.
     */
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

    /** Records that a majority had not learned of a removal at the given time. */
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

    /** Invalidates the confirmation, after a member has answered no that had answered yes before. */
    void revoke() {
        lock.lock();
        try {
            confirmed = null;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the fence permanently, after the removal of this node. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a message may begin now. */
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
                    throw new NoMajorityException("this node has been removed from the cluster");
                }
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
