package io.fibry.dispatch;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs an action once, after a delay. The clock is the one that the JDK uses for the timeouts of futures, so this needs no thread
 * of its own.
 *
 * <p>All timeouts of the JVM depend on the clock's thread, so nothing that may block runs there. The action runs on a platform
 * thread of the library (see {@link AlarmThreads}), unless the caller guarantees that it is {@linkplain #startBrief brief}. So
 * alarms fire even if all carrier threads of virtual threads are pinned.
 *
 * <p>A cancelled alarm leaves nothing in the clock's queue: the JDK removes the entry of a future that is completed before its
 * time. So {@link #cancel} sets a flag and completes the future. That is cheaper than to cancel the future, which creates two
 * exceptions with stack traces.
 */
public final class Alarm {

    private final CompletableFuture<@Nullable Void> due = new CompletableFuture<>();
    private volatile boolean cancelled;
    private volatile long dueAt = Time.nanos();

    /**
     * Runs the action on a platform thread after this number of nanoseconds, unless the alarm is cancelled. Call it once. The action must
     * be repeatable if it runs out of memory.
     */
    public void start(long nanos, Runnable action) {
        Control control = Control.ofCurrentThread();
        if (control != null) {
            start(control, nanos, action);
        } else {
            var task = new AlarmThreads.Task(action);
            startBrief(nanos, () -> AlarmThreads.run(task));
        }
    }

    /**
     * As {@link #start}, but on the clock's own thread. The action must not block, must not run user
     * code, and must be repeatable if it runs out of memory.
     */
    public void startBrief(long nanos, Runnable action) {
        Control control = Control.ofCurrentThread();
        if (control != null) {
            start(control, nanos, action);
            return;
        }
        long delay = Math.max(0, nanos);
        dueAt = System.nanoTime() + delay;
        CompletableFuture<Void> unused = due.thenRun(() -> {
            if (!cancelled) {
                runInAnyCase(action);
            }
        });
        due.completeOnTimeout(null, delay, TimeUnit.NANOSECONDS);
    }

    private void start(Control control, long nanos, Runnable action) {
        long delay = Math.max(0, nanos);
        dueAt = control.nanoTime() + delay;
        control.start(this, delay, action);
    }

    public boolean isCancelled() {
        return cancelled;
    }

    /**
     * Repeats an action that runs out of memory. The error must not reach the clock's thread, which cannot store it without memory:
     * it would end, the JDK would not replace it, and no timeout of the JVM would fire any more.
     */
    private static void runInAnyCase(Runnable action) {
        while (true) {
            try {
                action.run();
                return;
            } catch (OutOfMemoryError e) {
                OutOfMemory.pause();
            }
        }
    }

    /** The time until it is due; not negative. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, dueAt - Time.nanos()));
    }

    /** Cancels the alarm. Any thread, any number of times, also before the start. An action that is running continues. */
    public void cancel() {
        cancelled = true;
        due.complete(null);
    }
}
