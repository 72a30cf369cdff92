package io.fibry.dispatch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs something once, later. The clock is the one that the JDK has for the timeouts of all its futures, so this needs no thread
 * of its own.
 *
 * <p>All timeouts of the JVM depend on the clock's thread, so nothing that may block runs there: an alarm rings on a virtual thread of
 * its own, unless its maker promises that it is {@linkplain #brief brief}.
 *
 * <p>A cancelled alarm leaves nothing in the clock's queue: the JDK drops the entry of a future that is completed before its time.
 * So to cancel is to complete the future, after the note that nothing has to ring. That is also cheaper than to cancel the
 * future, which makes two exceptions with their stack traces.
 */
public final class Alarm {

    private static final long OUT_OF_MEMORY_PAUSE_NANOS = 1_000_000;

    private final Runnable action;
    private final boolean brief;
    private final CompletableFuture<@Nullable Void> due = new CompletableFuture<>();
    private volatile boolean cancelled;

    private Alarm(Runnable action, boolean brief) {
        this.action = action;
        this.brief = brief;
    }

    /** An alarm that runs any code, on a virtual thread. */
    public static Alarm of(Runnable action) {
        return new Alarm(action, false);
    }

    /** An alarm that runs on the clock's own thread. The action must not block, and must not run the program's code. */
    public static Alarm brief(Runnable action) {
        return new Alarm(action, true);
    }

    /** Has the alarm ring after so many nanoseconds, unless it is cancelled. Once. */
    public void start(long nanos) {
        CompletableFuture<Void> unused = due.thenRun(this::ring);
        due.completeOnTimeout(null, Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    /** Any thread, any number of times, also before the start. An action that is under way goes on. */
    public void cancel() {
        cancelled = true;
        due.complete(null);
    }

    private void ring() {
        if (cancelled) {
            return;
        }
        if (brief) {
            action.run();
        } else {
            startThread();
        }
    }

    /** Others depend on the action, so this waits for memory if it has to. */
    private void startThread() {
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
