package io.fibry.dispatch;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Controls order and time in a test: the module {@code fibry-test} has the implementation. The threads under a control
 * run one at a time. Such a thread calls its control before each step whose order is undetermined, and whenever it
 * would wait; its time is the control's time.
 *
 * <p>The {@link ActorThread} of a thread determines its control, which therefore need not be passed as an argument: a
 * system that such a thread makes is also under control, with all its actors, and the code that they call finds the
 * control in the same way. In programs without a control, {@link #ofCurrentThread} is one read of a static field.
 */
public abstract class Control {

    /** The timeout of an unlimited wait. */
    public static final long FOREVER = Long.MAX_VALUE;

    /**
     * Whether there is, or was, a control. Plain: a thread under control was started after the write, or has written
     * it.
     */
    private static boolean used;

    /** A result that a thread awaits from an actor, such as its reply. */
    public record Awaited(String what, ScheduledActor actor) {}

    /** Thrown to end the code on a thread when the test is over. It is not reported. */
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

    /** The control of the calling thread; null if there is none. */
    public static @Nullable Control ofCurrentThread() {
        return used && ActorThread.ofCurrentThread() instanceof ControlledRunner r ? r.control() : null;
    }

    // ---- time

    /** As {@link System#nanoTime}. */
    public abstract long nanoTime();

    /** The time of day. */
    public abstract Instant instant();

    /** Fires the alarm after this number of nanoseconds, unless it is cancelled by then. */
    public abstract void start(Alarm alarm, long nanos);

    // ---- order

    /** Schedules a turn of the actor, by {@link ControlledDispatcher#runTurn}. */
    public abstract void ready(ScheduledActor actor, ControlledDispatcher dispatcher);

    /** Called when the calling thread is about to perform an observable step. Other threads may run before. */
    public abstract void beforeStep();

    /**
     * Called when the calling thread is about to send a message. Other threads may run before.
     *
     * @return the sender, for {@link #handles}
     */
    public abstract Object beforeSend();

    /**
     * Called when the actor is about to handle a message.
     *
     * @param sender from {@link #beforeSend}, or null
     */
    public abstract void handles(ScheduledActor actor, Object message, @Nullable Object sender);

    /** The exception that the actor's handler throws instead of handling its next message; null for none. */
    public abstract @Nullable Throwable fault(ScheduledActor actor);

    /**
     * The actor has a failure that no asker gets. Its only other trace is a line in the log. Not called for an actor
     * that was interrupted by a stop.
     *
     * @param what the failed operation, as a part of a sentence, such as {@code failed to handle a message}
     * @param message the message that its behavior failed to handle; null if it was no message
     */
    public abstract void failed(ScheduledActor actor, String what, @Nullable Object message, Throwable failure);

    /**
     * A future has been made for a thread under this control; its completion may depend on actors under this control.
     */
    public abstract void made(CompletableFuture<?> future);

    /** The handler of this actor is suspended: a step of it, or an interrupt, will make the actor ready. */
    public abstract void suspended(ScheduledActor actor);

    /** A turn of this actor continues its suspended handler. */
    public abstract void resumed(ScheduledActor actor);

    /** Whether a sender finds the actor's bounded mailbox full, although it has room. */
    public abstract boolean findsFull(ScheduledActor actor);

    /** Runs code on another thread under this control. */
    public abstract void fork(String name, Runnable code);

    /**
     * Waits until the condition holds, the time is over, or, if {@code interruptible}, the thread is interrupted; its
     * interrupt status is then set.
     *
     * @param what a description of the wait: a text, or an {@link Awaited}
     */
    public abstract void await(BooleanSupplier condition, long nanos, boolean interruptible, Object what);

    /**
     * As {@link #await(BooleanSupplier, long, boolean, Object)}; releases the lock during the wait. The hold count must
     * be 1.
     */
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
     * @return the remaining time to wait without the control: the same number if it is under none, else 0
     */
    public static long await(Future<?> future, long nanos, boolean interruptible, Object what) {
        Control control = future.isDone() ? null : ofCurrentThread();
        if (control == null) {
            return nanos;
        }
        control.await(future::isDone, nanos, interruptible, what);
        return 0;
    }

    // ---- features that are not available under control

    /** Throws, because the calling thread uses a feature that no control supports, such as a socket. */
    public abstract void refuse(String what);

    /** As {@link #refuse}, if the calling thread is under control. */
    public static void refuseUnderControl(String what) {
        Control control = ofCurrentThread();
        if (control != null) {
            control.refuse(what);
        }
    }

    // ---- systems

    /** Called when a system has been made under this control. */
    public abstract void opened(AutoCloseable system);

    /**
     * The name of the test whose end has ended all systems under this control, as the end of a sentence; empty before.
     */
    public abstract String endedBy();

    /** The holder of the test's default system. */
    public final AtomicReference<@Nullable AutoCloseable> defaultSystem() {
        return defaultSystem;
    }
}
