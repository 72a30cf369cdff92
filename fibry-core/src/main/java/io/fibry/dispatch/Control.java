package io.fibry.dispatch;

import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides about order and time for a test: the module {@code fibry-test} has the implementation. The threads under a control run
 * one at a time. Such a thread asks its control before each step whose order is open, and whenever it would wait; and it has the
 * control's time.
 *
 * <p>A thread is under control if its {@link Runner} says so. So nothing has to be passed around: a system that such a thread
 * makes is under control too, with all its actors, and what they call finds the control in the same way. In programs without
 * a test, {@link #ofCurrentThread} is one read of a static field.
 */
public abstract class Control {

    /** What a thread waits for without a limit. */
    public static final long FOREVER = Long.MAX_VALUE;

    /** Whether there is, or was, a control. Plain: a thread under control was started after the write, or made it. */
    private static boolean used;

    /** What a thread waits for from an actor, such as its reply. The control has the actor's name. */
    public record Awaited(String what, Schedulable actor) {}

    /** Ends what runs on a thread when the test is over. Nothing has to be told of it. */
    @SuppressWarnings("serial")
    public static final class Over extends Error {
        public Over() {
            super("the test is over", null, false, false);
        }
    }

    private final AtomicReference<@Nullable AutoCloseable> defaultSystem = new AtomicReference<>();

    protected Control() {
        use();
    }

    private static void use() {
        used = true;
    }

    /** The control of the calling thread; null for the threads of all other programs. */
    public static @Nullable Control ofCurrentThread() {
        return used && Runner.ofCurrentThread() instanceof ControlledRunner r ? r.control() : null;
    }

    // ---- time

    /** As {@link System#nanoTime}. */
    public abstract long nanoTime();

    /** The time of day. */
    public abstract Instant instant();

    /** Runs the action after this number of nanoseconds, unless the alarm is cancelled then. */
    public abstract void start(Alarm alarm, long nanos, Runnable action);

    // ---- order

    /** Schedules a turn of the actor, by {@link ControlledDispatcher#runTurn}. */
    public abstract void ready(Schedulable actor, ControlledDispatcher dispatcher);

    /** The calling thread is about to do something that others can see. Others may run before. */
    public abstract void beforeStep();

    /**
     * The calling thread is about to send a message. Others may run before.
     *
     * @return who sends it, for {@link #handles}
     */
    public abstract Object beforeSend();

    /**
     * The actor is about to handle a message.
     *
     * @param sender from {@link #beforeSend}, or null
     */
    public abstract void handles(Schedulable actor, Object message, @Nullable Object sender);

    /** What the actor's handler is to throw instead of handling its next message; null if it is to handle it. */
    public abstract @Nullable Throwable fault(Schedulable actor);

    /** Whether a sender is to find the actor's bounded mailbox full, although it has room. */
    public abstract boolean findsFull(Schedulable actor);

    /** Runs code on another thread under this control. */
    public abstract void fork(String name, Runnable code);

    /**
     * Waits until the condition holds, the time is over, or, if wanted, the thread is interrupted; its interrupt status is set then.
     *
     * @param what what the thread waits for: a text, or an {@link Awaited}
     */
    public abstract void await(BooleanSupplier condition, long nanos, boolean interruptible, Object what);

    /** As {@link #await(BooleanSupplier, long, boolean, Object)}, without the lock, which the thread holds once. */
    public final void awaitUnlocked(Lock lock, BooleanSupplier condition, Object what) throws InterruptedException {
        lock.unlock();
        try {
            await(condition, FOREVER, true, what);
        } finally {
            lock.lock();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /**
     * As {@link #await(BooleanSupplier, long, boolean, Object)}, for the future and the calling thread.
     *
     * @return how long the thread still has to wait without the control: the same number if it is under none, else 0
     */
    public static long await(Future<?> future, long nanos, boolean interruptible, Object what) {
        Control control = future.isDone() ? null : ofCurrentThread();
        if (control == null) {
            return nanos;
        }
        control.await(future::isDone, nanos, interruptible, what);
        return 0;
    }

    // ---- what a test cannot have

    /** Throws, because the calling thread wants something that no control has, such as a socket. */
    public abstract void refuse(String what);

    /** As {@link #refuse}, if the calling thread is under control. */
    public static void refuseUnderControl(String what) {
        Control control = ofCurrentThread();
        if (control != null) {
            control.refuse(what);
        }
    }

    // ---- systems

    /** A system has been made under this control. */
    public abstract void opened(AutoCloseable system);

    /** The test whose end has ended all systems under this control, as the end of a sentence; empty before that end. */
    public abstract String endedBy();

    /** Where the default system of the test is kept. */
    public final AtomicReference<@Nullable AutoCloseable> defaultSystem() {
        return defaultSystem;
    }
}
