package io.fibry.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an actor borrows while it works: a thread. Threads that belong to the library have their runner as uncaught exception
 * handler, a field that every thread has; a thread-local would cost each of a million virtual threads a map of its own.
 *
 * <p>How a stop reaches a turn that is under way: a turn announces its runner in the actor before it looks at the mailbox, and
 * withdraws it before it gives up the consumer's role; the stopper closes the mailbox before it looks for a runner. So either
 * the turn finds the mailbox closed, and from then on asks the lifecycle before every message; or the stopper finds the runner
 * and calls for its attention.
 *
 * <p>How an interrupt never reaches the wrong actor: the stopper interrupts while it holds the actor's interrupt lock, and only if the
 * actor shows the runner. A turn that has withdrawn its runner looks at the mailbox once more. If it is not closed, no
 * stopper has found the runner. If it is, the turn passes through the lock, behind the stopper, and clears the interrupt
 * before its thread goes on to another actor.
 *
 * <p>How an interrupt of an actor never reaches the one that it waits for, and that runs on its stack: the thread is marked as
 * lent before the other turn begins, and then looks whether somebody has called for attention; a stopper calls for attention,
 * and then looks whether the thread is lent. So either the thread is not lent at all, or the stopper leaves the interrupt to
 * be made up for. The thread is marked as back before it looks for attention again, so it does not miss that; it then passes
 * through the interrupt lock, behind the stopper.
 */
public class Runner implements Thread.UncaughtExceptionHandler {

    private static final VarHandle CURRENT;
    private static final VarHandle ATTENTION;

    static {
        try {
            var lookup = MethodHandles.lookup();
            CURRENT = lookup.findVarHandle(Runner.class, "current", Schedulable.class);
            ATTENTION = lookup.findVarHandle(Runner.class, "attention", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private @Nullable Thread thread;

    /** The actor at work, for those who close its system. */
    private volatile @Nullable Schedulable current;

    private volatile boolean attention;

    /** Whether the thread is at work in another actor, for which the one here waits. */
    private volatile boolean lent;

    /** An interrupt that came while the thread was lent. Guarded by the interrupt lock of the current actor. */
    private boolean interruptOwed;

    // Counts, written by its own thread alone.
    private long handled;
    private long handledBefore;
    private long handledAtHand;

    /** The runner of the actor that runs on this one's stack; kept for the next. */
    private volatile @Nullable Runner inner;

    Runner() {}

    public Runner(Thread thread) {
        this.thread = thread;
    }

    /** The calling thread's runner, if it is a thread of the library. */
    public static @Nullable Runner ofCurrentThread() {
        return Thread.currentThread().getUncaughtExceptionHandler() instanceof Runner r ? r : null;
    }

    /** For a runner that is made before its thread: called by that thread before its first turn. */
    final void adoptCurrentThread() {
        Thread self = Thread.currentThread();
        thread = self;
        self.setUncaughtExceptionHandler(this);
    }

    final boolean isCurrentThread() {
        return thread == Thread.currentThread();
    }

    /** Shows the actor at work here, and those that run on its stack. */
    public final void forEachCurrent(Consumer<? super Schedulable> action) {
        for (Runner r = this; r != null; r = r.inner) {
            Schedulable actor = r.current;
            if (actor != null) {
                action.accept(actor);
            }
        }
    }

    /** A turn of an actor begins. Its thread has to pass a full fence before it looks whether the system is closed. */
    public final void begin(Schedulable actor) {
        ATTENTION.setOpaque(this, false);
        handledBefore = actor.handled();
        CURRENT.setOpaque(this, actor);
    }

    public final void end() {
        CURRENT.setOpaque(
                this, null); // who closes the system and reads an old one stops an actor that would be stopped anyway
    }

    public final boolean isAtWork() {
        return current != null;
    }

    /** Counts what the actor has handled since this was last called. As long as its turn has the consumer's role. */
    public final void count(Schedulable actor) {
        long now = actor.handled();
        handled += now - handledBefore;
        handledBefore = now;
    }

    /** The turn has come to what is in the mailbox's hand, after so many messages. */
    public final void takes(long handledSoFar) {
        handledAtHand = handledSoFar;
    }

    /** The actor's count has left out a message in hand, or has one that is not in hand. */
    public final void shiftHandledAtHand(int by) {
        handledAtHand += by;
    }

    /** How many messages the actor had handled when its turn came to what is in hand. A hint. */
    public final long handledAtHand() {
        return handledAtHand;
    }

    /** Messages handled in turns that have ended, here and on this one's stack. For others than its own thread a hint. */
    public final long handled() {
        long sum = 0;
        for (Runner r = this; r != null; r = r.inner) {
            sum += r.handled;
        }
        return sum;
    }

    /** The same, and begins to count anew. Its own thread only. */
    public final long takeHandled() {
        long sum = handled();
        for (Runner r = this; r != null; r = r.inner) {
            r.handled = 0;
        }
        return sum;
    }

    public final boolean attentionWanted() {
        return attention;
    }

    public final void wantAttention() {
        attention = true;
    }

    /** Interrupts the actor at work, now or as soon as its thread is back. Under its interrupt lock. */
    public final void interrupt() {
        if (lent) {
            interruptOwed = true;
        } else if (thread != null) {
            thread.interrupt();
        }
    }

    /** Where its thread stands. */
    public final StackTraceElement[] stack() {
        Thread t = thread;
        return t == null ? new StackTraceElement[0] : t.getStackTrace();
    }

    // ---- lending; its own thread only

    /** The runner for one more actor on the stack of the one at work. */
    final Runner inner() {
        Runner r = inner;
        if (r == null) {
            r = new Runner(Thread.currentThread());
            inner = r;
        }
        return r;
    }

    final boolean isLent() {
        return lent;
    }

    /** Lends the thread to an actor that the one at work waits for; false if somebody has called for attention. */
    final boolean lend() {
        lent = true;
        if (attention) {
            takeBack(); // a stopper may have seen the thread lent
            return false;
        }
        return true;
    }

    final void takeBack() {
        lent = false;
        Schedulable actor = current;
        if (attention && actor != null) {
            ReentrantLock lock = actor.interruptLock();
            lock.lock();
            try {
                if (interruptOwed) {
                    interruptOwed = false;
                    Thread.currentThread().interrupt();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Cannot happen, since a turn catches what behaviors throw; if it does, the program is told as of any other thread. */
    @Override
    public final void uncaughtException(Thread t, Throwable e) {
        t.getThreadGroup().uncaughtException(t, e);
    }
}
