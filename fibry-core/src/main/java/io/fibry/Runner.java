package io.fibry;

import org.jspecify.annotations.Nullable;

/**
 * What an actor borrows while it works: a thread, and the flag by which the one who stops the actor calls for attention.
 *
 * <p>The stop of a running actor, and how an interrupt never reaches the wrong one: a turn announces its runner in the
 * actor, and looks at {@code attention} when it has withdrawn it. Who stops the actor holds its lifecycle's lock, sets
 * {@code attention}, and interrupts the thread only if the actor <em>still</em> shows that runner. Each side writes its
 * own word before it reads the other's, so either the stopper sees that the turn is over, or the turn sees
 * {@code attention}; in that case it passes through the lock, behind the stopper, and clears the interrupt before the
 * thread goes on to another actor.
 */
class Runner {

    private @Nullable Thread thread;

    private volatile boolean attention;

    /** The actor at work, for those who close its system. */
    private volatile @Nullable ActorCell<?> current;

    Runner() {}

    Runner(Thread thread) {
        this.thread = thread;
    }

    /** For a runner that is made before its thread: called by that thread before its first turn. */
    final void adopt(Thread own) {
        thread = own;
    }

    final @Nullable Thread thread() {
        return thread;
    }

    @SuppressWarnings("ReferenceEquality")
    final boolean isCurrentThread() {
        return thread == Thread.currentThread();
    }

    /** Stops the actor at work, if there is one. */
    final void stopCurrent(StopMode mode) {
        ActorCell<?> actor = current;
        if (actor != null) {
            actor.stop(mode);
        }
    }

    final void begin(ActorCell<?> actor) {
        attention = false;
        current = actor;
    }

    final boolean attentionWanted() {
        return attention;
    }

    /** Called by a stopper that holds the actor's lock. */
    final void wantAttention() {
        attention = true;
    }

    /** Called by a stopper that holds the actor's lock and has seen this runner at work after it set the flag. */
    final void interrupt() {
        Thread t = thread;
        if (t != null) {
            t.interrupt();
        }
    }

    /** Called by the turn after it withdrew this runner from the actor. */
    final void end(@Nullable Lifecycle stopped) {
        current = null;
        if (attention && stopped != null) {
            stopped.lock.lock(); // behind a stopper that may be about to interrupt
            try {
                Thread.interrupted();
            } finally {
                stopped.lock.unlock();
            }
        }
    }
}
