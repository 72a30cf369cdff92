package io.fibry.kernel;

import io.fibry.ActorContext;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the pending work of a system's idle actors: one-shot timers, and stages of {@link ActorContext#pipeToSelf}.
 * The close of the system keeps the actors running while there is such work, because its messages may need other
 * actors.
 *
 * <p><b>No work is missed.</b> Both counts only grow, and work begins before it ends. {@link #isNone} reads the ended
 * work first: if the two counts are equal, there was no work at the time of the first read. Work ends after its message
 * has been added to a mailbox, so a subsequent check of the mailboxes finds the message. The caller then compares
 * {@link #begun} with its previous value: if it has not changed, there was no work in between.
 */
final class PendingWork {

    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final Runnable whenNone;

    /** @param whenNone runs on the thread that ends the last work; it must be quick, and take no lock */
    PendingWork(Runnable whenNone) {
        this.whenNone = whenNone;
    }

    void begins() {
        begun.incrementAndGet();
    }

    void ends() {
        if (ended.incrementAndGet() == begun.get()) {
            whenNone.run();
        }
    }

    long begun() {
        return begun.get();
    }

    boolean isNone() {
        return ended.get() == begun.get();
    }
}
