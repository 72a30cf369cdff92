package io.fibry.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Runs an action after a delay. The resolution is about a millisecond: an alarm never fires early, and alarms that are
 * due in the same millisecond fire in the order in which they were started. An alarm is a node of the timer's data
 * structures, so starting, firing and cancelling it allocate nothing, and take constant time.
 *
 * <p>All timeouts of the JVM depend on the {@link TimerThread}, so no code that may block runs there. The action runs
 * on another platform thread of the library (see {@link AlarmThreads}), unless the caller guarantees that it is
 * {@linkplain #startBrief brief}. Alarms therefore fire even if all carrier threads of virtual threads are pinned.
 */
public final class Alarm {

    private static final int NEW = 0;

    /** On the stack of the {@link TimerThread}. */
    private static final int STARTED = 1;

    private static final int IN_WHEEL = 2;
    private static final int FIRED = 3;
    private static final int CANCELLED = 4;

    /** The longest delay: a time that differs by more from the present one cannot be compared with it. */
    private static final long MAX_DELAY = Long.MAX_VALUE / 2;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Alarm.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int state;

    // Written by the starting thread before it publishes the alarm.
    long dueAt;
    private @Nullable Runnable action;
    private boolean brief;

    /** The link of the stack of the {@link TimerThread}, or of the queue of the {@link AlarmThreads}. */
    @Nullable
    Alarm next;

    // The place in the wheel. Confined to the TimerThread.
    short slot = TimingWheel.NO_SLOT;

    @Nullable
    Alarm nextInSlot;

    @Nullable
    Alarm previousInSlot;

    /**
     * Runs the action on a platform thread after this number of nanoseconds, unless the alarm is cancelled. An alarm
     * that has fired may be started again, by its action. The action is repeated if it runs out of memory, so it must
     * be idempotent.
     */
    public void start(long nanos, Runnable action) {
        start(nanos, action, false);
    }

    /**
     * As {@link #start}, but on the timer thread. The action must not block, must not run user code, and must be
     * idempotent.
     */
    public void startBrief(long nanos, Runnable action) {
        start(nanos, action, true);
    }

    private void start(long nanos, Runnable itsAction, boolean isBrief) {
        long delay = Math.clamp(nanos, 0, MAX_DELAY);
        Control control = Control.ofCurrentThread();
        long now = control == null ? System.nanoTime() : control.nanoTime();
        int before = state;
        if (before == CANCELLED) {
            return;
        }
        if (before != NEW && before != FIRED) {
            throw new IllegalStateException("this alarm is already running");
        }
        dueAt = now + delay;
        action = itsAction;
        brief = isBrief;
        if (control != null) {
            control.start(this, delay, itsAction);
        } else if (STATE.compareAndSet(this, before, STARTED)) { // unless it has been cancelled in the meantime
            TimerThread.started(this, now);
        } else {
            action = null;
        }
    }

    public boolean isCancelled() {
        return state == CANCELLED;
    }

    /** The time until the alarm is due; not negative. Zero if it has not been started. */
    public Duration remaining() {
        return action == null ? Duration.ZERO : Duration.ofNanos(Math.max(0, dueAt - Time.nanos()));
    }

    /** Cancels the alarm. Any thread, repeatedly, also before the start. A running action continues. */
    public void cancel() {
        int before = (int) STATE.getAndSet(this, CANCELLED);
        if (before == STARTED || before == IN_WHEEL) {
            action = null; // retained by the stack for some milliseconds
        }
        if (before == IN_WHEEL) {
            TimerThread.cancelled(this);
        }
    }

    // ---- for the threads that run actions

    /** The first tick at which the alarm is due. */
    long tick() {
        return TimerThread.tick(dueAt);
    }

    /** Returns false if the alarm has been cancelled. */
    boolean enterWheel() {
        return STATE.compareAndSet(this, STARTED, IN_WHEEL);
    }

    /** Returns false if the alarm has been cancelled. */
    boolean leaveWheel() {
        return STATE.compareAndSet(this, IN_WHEEL, FIRED);
    }

    boolean isBrief() {
        return brief;
    }

    /**
     * Runs the action, and repeats it if it runs out of memory: no other code would end a backoff, or fail an ask. A
     * cancelled alarm has no action.
     */
    void runAction() {
        Runnable pending = action;
        while (pending != null) {
            try {
                pending.run();
                pending = null;
            } catch (OutOfMemoryError e) {
                OutOfMemory.pause();
            } catch (Throwable t) {
                pending = null;
                report(t);
            }
        }
    }

    /** Passes an exception to the handler of the calling thread. Throws nothing. */
    static void report(Throwable t) {
        try {
            Thread self = Thread.currentThread();
            self.getUncaughtExceptionHandler().uncaughtException(self, t);
        } catch (Throwable ignored) { // as the JVM ignores what a handler throws
            return;
        }
    }
}
