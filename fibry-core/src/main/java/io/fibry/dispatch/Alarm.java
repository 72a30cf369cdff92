package io.fibry.dispatch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs an action once, after a delay. The clock is the one that the JDK uses for the timeouts of futures, so this needs no thread
 * of its own.
 *
 * <p>All timeouts of the JVM depend on the clock's thread, so nothing that may block runs there. The action gets a virtual thread
 * of its own, unless the caller guarantees that it is {@linkplain #startBrief brief}.
 *
 * <p>A cancelled alarm leaves nothing in the clock's queue: the JDK removes the entry of a future that is completed before its
 * time. So {@link #cancel} sets a flag and completes the future. That is cheaper than to cancel the future, which creates two
 * exceptions with stack traces.
 */
public final class Alarm {

    private static final long OUT_OF_MEMORY_PAUSE_NANOS = 1_000_000;

    private final CompletableFuture<@Nullable Void> due = new CompletableFuture<>();
    private volatile boolean cancelled;

    /** Runs the action on a virtual thread after this number of nanoseconds, unless the alarm is cancelled. Call it once. */
    public void start(long nanos, Runnable action) {
        startBrief(nanos, () -> startThread(action));
    }

    /** As {@link #start}, but on the clock's own thread. The action must not block, and must not run user code. */
    public void startBrief(long nanos, Runnable action) {
        CompletableFuture<Void> unused = due.thenRun(() -> {
            if (!cancelled) {
                action.run();
            }
        });
        due.completeOnTimeout(null, Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    /** Cancels the alarm. Any thread, any number of times, also before the start. An action that is running continues. */
    public void cancel() {
        cancelled = true;
        due.complete(null);
    }

    /** Starts the thread. Others depend on the action, so this retries after an {@link OutOfMemoryError}. */
    private static void startThread(Runnable action) {
        while (true) {
            try {
                Thread.startVirtualThread(action);
                return;
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(OUT_OF_MEMORY_PAUSE_NANOS);
            }
        }
    }
}
