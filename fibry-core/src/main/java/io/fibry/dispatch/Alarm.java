package io.fibry.dispatch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs something once, later. The clock is the one that the JDK has for the timeouts of all its futures, so this needs no thread
 * of its own.
 *
 * <p>All timeouts of the JVM depend on the clock's thread, so nothing that may block runs there: the action gets a virtual thread of its
 * own, unless the caller promises that it is {@linkplain #startBrief brief}.
 *
 * <p>A cancelled alarm leaves nothing in the clock's queue: the JDK drops the entry of a future that is completed before its time.
 * So to cancel is to complete the future, after the note that nothing has to ring. That is also cheaper than to cancel the
 * future, which makes two exceptions with their stack traces.
 */
public final class Alarm {

    private static final long OUT_OF_MEMORY_PAUSE_NANOS = 1_000_000;

    private final CompletableFuture<@Nullable Void> due = new CompletableFuture<>();
    private volatile boolean cancelled;

    /** Has the action run on a virtual thread after so many nanoseconds, unless this is cancelled. Once. */
    public void start(long nanos, Runnable action) {
        startBrief(nanos, () -> startThread(action));
    }

    /** The same, on the clock's own thread. The action must not block, and must not run the program's code. */
    public void startBrief(long nanos, Runnable action) {
        CompletableFuture<Void> unused = due.thenRun(() -> {
            if (!cancelled) {
                action.run();
            }
        });
        due.completeOnTimeout(null, Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    /** Any thread, any number of times, also before the start. An action that is under way goes on. */
    public void cancel() {
        cancelled = true;
        due.complete(null);
    }

    /** Others depend on the action, so this waits for memory if it has to. */
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
