package io.fibry.dispatch;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs an action once, after a delay. It uses the timer thread of the JDK for timeouts of futures, and needs no thread
 * of its own.
 *
 * <p>All timeouts of the JVM depend on the timer thread, so no code that may block runs there. The action runs on a
 * platform thread of the library (see {@link AlarmThreads}), unless the caller guarantees that it is
 * {@linkplain #startBrief brief}. Alarms therefore fire even if all carrier threads of virtual threads are pinned.
 *
 * <p>A cancelled alarm leaves no entry in the timer's queue: the JDK removes the entry of a future that is completed
 * early. {@link #cancel} therefore sets a flag and completes the future. Cancelling the future would be more expensive,
 * since it creates two exceptions with stack traces.
 */
public final class Alarm {

    private final CompletableFuture<@Nullable Void> due = new CompletableFuture<>();
    private volatile boolean cancelled;
    private volatile long dueAt = Time.nanos();

    /**
     * Runs the action on a platform thread after this number of nanoseconds, unless the alarm is cancelled. Must be
     * called at most once. The action is repeated if it runs out of memory, so it must be idempotent.
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
     * As {@link #start}, but on the timer thread. The action must not block, must not run user code, and must be
     * idempotent.
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
     * Repeats an action that runs out of memory. The error must not reach the timer thread, which cannot store it
     * without memory: the thread would end, the JDK would not replace it, and no timeout of the JVM would fire any
     * longer.
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

    /** The time until the alarm is due; not negative. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, dueAt - Time.nanos()));
    }

    /** Cancels the alarm. Any thread, repeatedly, also before the start. A running action continues. */
    public void cancel() {
        cancelled = true;
        due.complete(null);
    }
}
