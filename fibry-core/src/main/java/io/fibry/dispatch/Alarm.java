package io.fibry.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs an action after a delay. The resolution is about a millisecond: an alarm never fires early, and alarms that are
 * due in the same millisecond fire in the order in which they were started. An alarm is a node of the timer's data
 * structures, so starting, firing and cancelling it allocate nothing, and take constant time.
 *
 * <p>All timeouts of the JVM depend on the {@link TimerThread}, so no code that may block runs there. The action runs
 * on another platform thread of the library (see {@link AlarmThreads}), unless the caller guarantees that it is
 * {@linkplain #startBrief brief}. Alarms therefore fire even if all carrier threads of virtual threads are pinned.
 *
 * <p>An alarm runs the action of its start. A subclass may override {@link #fire} instead, to need no action; its
 * instances can be started again each time they have fired, without an allocation.
 */
public class Alarm {

    private static final int NEW = 0;

    /** On the stack of the {@link TimerThread}. */
    private static final int STARTED = 1;

    private static final int IN_WHEEL = 2;
    private static final int FIRED = 3;
    private static final int CANCELLED = 4;

    /** The longest delay: a time that differs by more from the present one cannot be compared with it. */
    private static final long MAX_DELAY = Long.MAX_VALUE / 2;

    private static final Consumer<Alarm> FIRE = Alarm::fire;

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

    public Alarm() {}

    /** Sets the value of {@link #due} before the first {@link #startAt}. */
    protected Alarm(long dueAt) {
        this.dueAt = dueAt;
    }

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
        long now = Time.nanos();
        start(now, now + Math.max(0, nanos), itsAction, isBrief);
    }

    /**
     * Runs {@link #fire} at this time, a value of {@link Time#nanos}; at once if it is past.
     *
     * @param isBrief whether {@code fire} runs on the timer thread, as in {@link #startBrief}
     */
    protected final void startAt(long time, boolean isBrief) {
        start(Time.nanos(), time, null, isBrief);
    }

    private void start(long now, long time, @Nullable Runnable itsAction, boolean isBrief) {
        int before = state;
        if (before == CANCELLED) {
            return;
        }
        if (before != NEW && before != FIRED) {
            throw new IllegalStateException("this alarm is already running");
        }
        long delay = Math.min(time - now, MAX_DELAY);
        dueAt = now + delay;
        action = itsAction;
        brief = isBrief;
        Control control = Control.ofCurrentThread();
        if (control != null) {
            control.start(this, Math.max(0, delay));
        } else if (STATE.compareAndSet(this, before, STARTED)) { // unless it has been cancelled in the meantime
            TimerThread.started(this, now);
        } else {
            action = null;
        }
    }

    /** Called when the alarm is due, and again if it runs out of memory. By default, runs the action of the start. */
    public void fire() {
        Runnable a = action;
        if (a != null) { // else it has just been cancelled
            a.run();
        }
    }

    /** The time at which the alarm is due, a value of {@link Time#nanos}. */
    public final long due() {
        return dueAt;
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
     * Calls {@link #fire}, and repeats it if it runs out of memory: no other code would end a backoff, or fail an ask.
     * A cancelled alarm does not fire. Throws nothing.
     */
    final void run() {
        if (isCancelled()) {
            return;
        }
        try {
            OutOfMemory.repeat(FIRE, this);
        } catch (Throwable t) {
            report(t);
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
