package io.fibry.kernel;

import io.fibry.dispatch.Control;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Closes a system for callers inside actors. The callers do not wait, since the close may have to wait for them. One
 * platform thread closes the system for all of them.
 *
 * <p>The earliest deadline applies, as among callers that wait. The first request starts the thread, with its own
 * deadline. If a later request has an earlier deadline, a second thread waits until that deadline and then makes the
 * stop harder; it also serves all subsequent requests. A request with a later deadline has no effect.
 *
 * <p>The threads are platform threads, because CPU-bound handlers may occupy all carrier threads of virtual threads.
 */
final class CloseFromInside {

    private final Consumer<Duration> close;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock
    private @Nullable Thread closer;
    private @Nullable Thread hurrier;
    private long earliestEnd;
    private boolean over;

    /** Takes the function that closes the system within a time, and waits. */
    CloseFromInside(Consumer<Duration> close) {
        this.close = close;
    }

    /** Requests a close of the system within this time. Does not wait. */
    void request(Duration deadline) {
        Control control = Control.ofCurrentThread();
        if (control != null) {
            control.fork("fibry-close", () -> close.accept(deadline));
            return;
        }
        lock.lock();
        try {
            long end = Durations.deadline(
                    deadline); // under the lock, so that equal deadlines are in the order of the requests
            if (!isAlive(closer)) {
                earliestEnd = end;
                closer = start(() -> close.accept(deadline));
            } else if (end - earliestEnd < 0) {
                earliestEnd = end;
                changed.signal();
                if (!isAlive(hurrier)) {
                    hurrier = start(this::hurry);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Called when the system has been closed, or the close has given up. */
    void over() {
        lock.lock();
        try {
            over = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void hurry() {
        if (!isOverBeforeEarliestEnd()) {
            close.accept(Duration.ZERO);
        }
    }

    private boolean isOverBeforeEarliestEnd() {
        lock.lock();
        try {
            for (long left = left(); left > 0 && !over; left = left()) {
                long unused = changed.awaitNanos(left);
            }
            return over;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // then the close does not wait either
            return false;
        } finally {
            lock.unlock();
        }
    }

    private long left() {
        return earliestEnd - Time.nanos();
    }

    private static boolean isAlive(@Nullable Thread thread) {
        return thread != null && thread.isAlive();
    }

    private static Thread start(Runnable close) {
        return Thread.ofPlatform().name("fibry-close").daemon(false).start(close);
    }
}
