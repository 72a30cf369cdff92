package io.fibry.dispatch;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The platform thread, one for the JVM, that fires the alarms. All timeouts depend on it, so it runs only
 * {@linkplain Alarm#startBrief brief} actions itself, and passes all others to the {@link AlarmThreads}. Unlike the
 * timers of the JDK, it allocates nothing: an alarm that has been started fires even if memory is exhausted.
 *
 * <p>Other threads push started and cancelled alarms onto a stack, which this thread transfers to a {@link
 * TimingWheel}. An alarm that is cancelled before the transfer, like that of an ask with a fast reply, never enters the
 * wheel. To collect many of them at once, this thread leaves an alarm on the stack for up to {@link #PATIENCE_NANOS}
 * while alarms arrive continuously.
 *
 * <p>No alarm is missed: see {@link WakeTime}.
 */
final class TimerThread implements Runnable {

    private static final int TICK_SHIFT = 20; // a tick is about a millisecond
    private static final long LAST_NANO_OF_TICK = (1L << TICK_SHIFT) - 1;

    /** The longest time that an alarm stays on the stack. */
    private static final long PATIENCE_NANOS = Duration.ofMillis(10).toNanos();

    private static final long UNTIL_UNPARKED = Long.MAX_VALUE;

    /** The times of this class are relative to this one, and therefore never negative. */
    private static final long BASE = System.nanoTime();

    /** The stack of alarms that have been started or cancelled, linked by {@link Alarm#next}. */
    private static final AtomicReference<@Nullable Alarm> CHANGED = new AtomicReference<>();

    private static final Thread THREAD = Thread.ofPlatform()
            .name("fibry-timer")
            .daemon()
            .inheritInheritableThreadLocals(false)
            .unstarted(new TimerThread());

    private static final WakeTime WAKE_TIME = new WakeTime(() -> LockSupport.unpark(THREAD));

    static {
        THREAD.start();
    }

    private final TimingWheel wheel = new TimingWheel();
    private boolean alarmsArrive;

    private TimerThread() {}

    /** The first tick that does not begin before this value of {@link System#nanoTime}. */
    static long tick(long nanoTime) {
        return (nanoTime - BASE + LAST_NANO_OF_TICK) >> TICK_SHIFT;
    }

    /** Transfers an alarm that has been started. Allocates nothing. */
    static void started(Alarm alarm, long nanoTime) {
        push(alarm);
        WAKE_TIME.wakeBy(Math.min(alarm.dueAt, nanoTime + PATIENCE_NANOS) - BASE);
    }

    /** Removes a cancelled alarm from the wheel. Allocates nothing. */
    static void cancelled(Alarm alarm) {
        push(alarm);
        WAKE_TIME.wakeBy(System.nanoTime() + PATIENCE_NANOS - BASE);
    }

    private static void push(Alarm alarm) {
        Alarm top;
        do {
            top = CHANGED.get();
            alarm.next = top;
        } while (!CHANGED.compareAndSet(top, alarm));
    }

    @Override
    public void run() {
        while (true) {
            try {
                fireAndWait();
            } catch (Throwable t) { // a bug of this library, or of the JDK
                Alarm.report(t);
            }
        }
    }

    private void fireAndWait() {
        long latest = alarmsArrive ? now() + PATIENCE_NANOS : UNTIL_UNPARKED;
        WAKE_TIME.raise(latest);
        alarmsArrive = takeChanged();
        long now = now();
        fire(now >> TICK_SHIFT);
        long next = wheel.nextTick();
        long until = next == TimingWheel.NEVER ? UNTIL_UNPARKED : next << TICK_SHIFT;
        until = Math.min(latest, alarmsArrive ? Math.min(until, now + PATIENCE_NANOS) : until);
        if (!WAKE_TIME.lower(latest, until)) {
            return;
        }
        if (until == UNTIL_UNPARKED) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, until - now());
        }
    }

    private static long now() {
        return System.nanoTime() - BASE;
    }

    /** Transfers the alarms of the stack to the wheel, or removes them from there. Returns whether there were any. */
    private boolean takeChanged() {
        Alarm alarm = inOrder(CHANGED.getAndSet(null));
        boolean any = alarm != null;
        while (alarm != null) {
            Alarm next = alarm.next;
            alarm.next = null; // before the state changes: a cancel then pushes the alarm again
            if (alarm.enterWheel()) {
                wheel.add(alarm);
            } else {
                wheel.remove(alarm);
            }
            alarm = next;
        }
        return any;
    }

    /** Reverses a stack, so that alarms of the same tick fire in the order in which they were started. */
    private static @Nullable Alarm inOrder(@Nullable Alarm top) {
        Alarm reversed = null;
        Alarm alarm = top;
        while (alarm != null) {
            Alarm next = alarm.next;
            alarm.next = reversed;
            reversed = alarm;
            alarm = next;
        }
        return reversed;
    }

    private void fire(long tick) {
        Alarm alarm = wheel.poll(tick);
        while (alarm != null) {
            if (alarm.leaveWheel()) {
                if (alarm.isBrief()) {
                    alarm.run();
                } else {
                    AlarmThreads.run(alarm);
                }
            }
            alarm = wheel.poll(tick);
        }
    }
}
