package io.fibry;

import java.util.List;
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
 * <p>How an interrupt never reaches the wrong actor: the stopper interrupts while it holds the lifecycle's lock, and only if the
 * actor shows the runner. A turn that has withdrawn its runner looks at the mailbox once more. If it is not closed, no
 * stopper has found the runner. If it is, the turn passes through the lock, behind the stopper, and clears the interrupt
 * before its thread goes on to another actor.
 */
class Runner implements Thread.UncaughtExceptionHandler {

    private @Nullable Thread thread;

    /** The actor at work, for those who close its system. */
    private volatile @Nullable ActorCell<?> current;

    private volatile boolean attention;

    Runner() {}

    Runner(Thread thread) {
        this.thread = thread;
    }

    /** The calling thread's runner, if it is a thread of the library. */
    static @Nullable Runner ofCurrentThread() {
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

    final void addCurrent(List<ActorCell<?>> actors) {
        ActorCell<?> actor = current;
        if (actor != null) {
            actors.add(actor);
        }
    }

    final void begin(ActorCell<?> actor) {
        attention = false;
        current = actor;
    }

    final void end() {
        current = null;
    }

    final boolean attentionWanted() {
        return attention;
    }

    final void wantAttention() {
        attention = true;
    }

    final void interrupt() {
        Thread t = thread;
        if (t != null) {
            t.interrupt();
        }
    }

    /** Stops the actor at work, if there is one. */
    final void stopCurrent(StopMode mode) {
        ActorCell<?> actor = current;
        if (actor != null) {
            actor.stop(mode);
        }
    }

    /** Cannot happen, since a turn catches what behaviors throw; if it does, the program is told as of any other thread. */
    @Override
    public final void uncaughtException(Thread t, Throwable e) {
        t.getThreadGroup().uncaughtException(t, e);
    }
}
