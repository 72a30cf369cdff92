package io.fibry.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The thread that runs a turn of an actor. The runner of a library thread is stored as its uncaught exception handler,
 * a field that every thread has. A thread-local would require a map for each of a million virtual threads.
 *
 * <p><b>A stop reaches the turn in progress.</b> The turn announces its runner in the actor, and then reads whether the
 * mailbox is closed. It withdraws the runner before it releases the consumer's role. The stopper closes the mailbox,
 * and then reads the runner. Either the turn finds the mailbox closed and checks the lifecycle before every message, or
 * the stopper finds the runner and requests its attention.
 *
 * <p><b>An interrupt never reaches the wrong actor.</b> The stopper interrupts while it holds the actor's interrupt
 * lock, and only if the actor still shows the runner. A turn that has withdrawn its runner reads once more whether the
 * mailbox is closed. If it is open, no stopper has found the runner. If it is closed, the turn acquires the lock, after
 * which the stopper has finished. The turn then clears the interrupt before its thread runs another actor. A stopped
 * mailbox stays closed, so this holds for any number of interrupts of one turn.
 *
 * <p><b>An interrupt never reaches another actor on the same stack.</b> An actor may wait for another one that runs on
 * its thread. The thread sets {@code lent} before the other turn begins, and then reads {@code attention}. The stopper
 * sets {@code attention}, and then reads {@code lent}. Either the thread sees the request and the other turn does not
 * begin, or the stopper sees the thread lent and records the interrupt as owed. After the other turn the thread clears
 * {@code lent}, and then reads {@code attention} again, so it does not miss the request. It then acquires the interrupt
 * lock, after which the stopper has finished, and interrupts itself if an interrupt is owed.
 */
public class ActorThread extends HandledCounts implements Thread.UncaughtExceptionHandler {

    private static final VarHandle THREAD;
    private static final VarHandle CURRENT;
    private static final VarHandle ATTENTION;
    private static final VarHandle LENT;
    private static final VarHandle WAITS_FOR;

    static {
        try {
            var lookup = MethodHandles.lookup();
            THREAD = lookup.findVarHandle(ActorThread.class, "thread", Thread.class);
            CURRENT = lookup.findVarHandle(ActorThread.class, "current", ScheduledActor.class);
            ATTENTION = lookup.findVarHandle(ActorThread.class, "attention", boolean.class);
            LENT = lookup.findVarHandle(ActorThread.class, "lent", boolean.class);
            WAITS_FOR = lookup.findVarHandle(ActorThread.class, "waitsFor", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private @Nullable Thread thread;

    /** The running actor. Read by a close of its system. */
    private volatile @Nullable ScheduledActor current;

    private volatile boolean attention;

    /** Whether the thread runs another actor, for which the actor of this runner waits. */
    private volatile boolean lent;

    /** The published wait of the thread, if this is its innermost runner; else null. */
    private volatile @Nullable Object waitsFor;

    /** The start of the turn, in milliseconds of {@link System#nanoTime}. A hint for other threads. */
    private int begun;

    /** Whether an interrupt came while the thread was lent. Guarded by the interrupt lock of the current actor. */
    private boolean interruptOwed;

    /** The slice lasts from one to two ticks, since the first one has already begun. */
    private static final int SLICE_TICKS = 2;

    /** The handler of the current message, if it has been suspended in this turn. */
    private @Nullable SuspendedHandler suspended;

    private boolean isTimed;
    private int sliceEnd;

    // Written only by the runner's own thread.
    private long handledBefore;
    private long handledAtHand;

    /** The runner of the actor that runs on this one's stack. Kept for reuse. */
    private volatile @Nullable ActorThread inner;

    ActorThread() {}

    /** @param makesWay whether its thread yields to others after each message */
    ActorThread(boolean makesWay) {
        isTimed = makesWay;
        sliceEnd = WorkerWatch.ticks();
    }

    public ActorThread(Thread thread) {
        this.thread = thread;
    }

    /** The calling thread's runner, if it is a thread of the library. */
    public static @Nullable ActorThread ofCurrentThread() {
        return Thread.currentThread().getUncaughtExceptionHandler() instanceof ActorThread r ? r : null;
    }

    /**
     * Adopts the calling thread. For a runner that is created before its thread, which calls this before its first
     * turn.
     */
    final void adoptCurrentThread() {
        Thread self = Thread.currentThread();
        THREAD.setVolatile(this, self);
        self.setUncaughtExceptionHandler(this);
    }

    /** The only actor of this runner; null if it runs several. */
    public @Nullable ScheduledActor owner() {
        return null;
    }

    /** Whether the calling thread is the thread of this runner. */
    public final boolean isCurrentThread() {
        return thread == Thread.currentThread();
    }

    /**
     * Passes the running actor, and the actors that run above it on its stack, to the action. An inner runner may still
     * show an actor that has left the stack, so it is included only while the thread is lent to it. A close of the
     * system misses no actor because of that: a thread is lent before the inner turn begins, and such a turn reads the
     * state of the system afterwards.
     */
    public final void forEachCurrent(Consumer<? super ScheduledActor> action) {
        for (ActorThread r = this; r != null; r = r.lent ? r.inner : null) {
            ScheduledActor actor = r.current;
            if (actor != null) {
                action.accept(actor);
            }
        }
    }

    /**
     * Begins a turn of an actor. The caller has to execute a full fence before it reads whether the system is closed.
     */
    public final void begin(ScheduledActor actor) {
        ATTENTION.setOpaque(this, false);
        if (suspended != null) { // a write without this test has a barrier, whose code each turn would contain
            suspended = null;
        }
        handledBefore = actor.handled();
        begun = isTimed ? WorkerWatch.millis() : WorkerWatch.exactMillis();
        CURRENT.setOpaque(this, actor);
    }

    public final void end() {
        // A close of the system that reads a stale actor stops it, which the close does in any case.
        CURRENT.setOpaque(this, null);
    }

    public final boolean isRunning() {
        return current != null;
    }

    /**
     * Adds the sent messages that the actor has handled since the last call. Only while its turn holds the consumer's
     * role.
     */
    public final void count(ScheduledActor actor) {
        long now = actor.handled();
        countSent(now - handledBefore);
        handledBefore = now;
    }

    /** Called when the turn has reached the message in hand, after this number of handled messages. */
    public final void takes(long handledSoFar) {
        handledAtHand = handledSoFar;
    }

    /** Adjusts for a message in hand that the actor has not counted, or for a counted one that is not in hand. */
    public final void shiftHandledAtHand(int by) {
        handledAtHand += by;
    }

    /** The number of messages that the actor had handled when its turn reached the message in hand. A hint. */
    public final long handledAtHand() {
        return handledAtHand;
    }

    /**
     * The number of messages handled by this runner and its inner runners; of sent messages, those of ended turns. A
     * hint for other threads.
     */
    public final long handled(MessageSource source) {
        long sum = 0;
        for (ActorThread r = this; r != null; r = r.inner) {
            sum += r.handledHere(source);
        }
        return sum;
    }

    /** As {@link #handled}, and resets the count to zero. Called only by its own thread. */
    public final long takeHandled(MessageSource source) {
        long sum = handled(source);
        for (ActorThread r = this; r != null; r = r.inner) {
            r.resetHandled(source);
        }
        return sum;
    }

    // ---- time slices; its own thread only

    /** Begins a time slice, after which the thread yields to others. Only for threads that are not preempted. */
    final void beginSlice() {
        isTimed = true;
        sliceEnd = WorkerWatch.ticks() + SLICE_TICKS;
    }

    /** Whether the thread should yield to others. */
    public final boolean isSliceOver() {
        return isTimed && WorkerWatch.ticks() - sliceEnd >= 0;
    }

    public final boolean attentionWanted() {
        return attention;
    }

    public final void wantAttention() {
        attention = true;
    }

    /** Interrupts the running actor, now or when its thread is no longer lent. Called under its interrupt lock. */
    public final void interrupt() {
        if (lent) {
            interruptOwed = true;
        } else if (thread != null) {
            interrupt(thread);
        }
    }

    void interrupt(Thread itsThread) {
        itsThread.interrupt();
    }

    /** Notes that the current handler is suspended, which ends the turn. Its own thread only, as for the next one. */
    public final void suspends(SuspendedHandler handler) {
        suspended = handler;
        attention = true;
    }

    /** Returns the handler that was suspended in this turn; null if there is none. */
    public final @Nullable SuspendedHandler suspended() {
        return suspended;
    }

    /** The stack trace of its thread; see {@link Stacks}. */
    public final StackTraceElement[] stack() {
        Thread t = thread;
        return t == null ? new StackTraceElement[0] : Stacks.of(t);
    }

    // ---- for inspection by other threads

    /**
     * The time since the current turn began, to a few milliseconds. A turn with slices ends soon after its first
     * messages.
     */
    public final long turnMillis() {
        int millis = WorkerWatch.exactMillis() - begun; // the values overflow after 49 days
        return Math.max(0, millis);
    }

    /**
     * The actor that runs above the actor of this runner on the stack, and for which that one waits; null if there is
     * none.
     */
    public final @Nullable ScheduledActor lentTo() {
        ActorThread next = inner;
        return lent && next != null ? next.current : null;
    }

    /** The innermost runner on this runner's stack: this one, unless its thread is lent. */
    public final ActorThread top() {
        ActorThread r = this;
        while (r.lent) {
            ActorThread next = r.inner;
            if (next == null || next.current == null) {
                return r;
            }
            r = next;
        }
        return r;
    }

    /** The innermost actor running on the thread. A hint for other threads. */
    public final @Nullable ScheduledActor currentActor() {
        return top().current;
    }

    final void unpark() {
        LockSupport.unpark(thread);
    }

    final void rename(String name) {
        Thread t = thread;
        if (t != null) {
            t.setName(LogText.plain(name)); // loggers print the name of the thread
        }
    }

    /** The published wait of its thread, or null. */
    public final @Nullable Object waitsFor() {
        return waitsFor;
    }

    /**
     * Publishes a wait of its thread, with a StoreLoad fence before the search for cycles. Called by its own thread.
     */
    public final void waitsFor(Object what) {
        WAITS_FOR.setVolatile(this, what);
    }

    /** Withdraws the wait. Called by its own thread, before any visible effect of the end of the wait. */
    public final void waitsNoMore() {
        WAITS_FOR.setRelease(this, null);
    }

    /**
     * The name of the carrier thread that its virtual thread is mounted on; null if there is none, or if the thread
     * waits.
     */
    final @Nullable String carrier() {
        Thread t = thread;
        if (t == null || t.getState() != Thread.State.RUNNABLE) { // checked first, because it is cheap
            return null;
        }
        return Stacks.carrier(t);
    }

    // ---- lending; its own thread only

    /** The runner for another actor on the stack of the running one. */
    final ActorThread inner() {
        ActorThread r = inner;
        if (r == null) {
            r = new ActorThread(Thread.currentThread());
            inner = r;
        }
        r.isTimed = isTimed;
        r.sliceEnd = sliceEnd;
        return r;
    }

    final boolean isLent() {
        return lent;
    }

    /**
     * Lends the thread to an actor for which the running one waits. The caller has to execute a full fence, and must
     * not begin the other turn if attention is then wanted.
     */
    final void lend() {
        LENT.setOpaque(this, true);
    }

    final void takeBack() {
        lent = false;
        ScheduledActor actor = current;
        if (attention && actor != null) {
            ActorLock lock = actor.interruptLock();
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

    /**
     * Never called for exceptions of behaviors, which a turn catches. Applies the default handling of the thread group.
     */
    @Override
    public final void uncaughtException(Thread t, Throwable e) {
        t.getThreadGroup().uncaughtException(t, e);
    }
}
