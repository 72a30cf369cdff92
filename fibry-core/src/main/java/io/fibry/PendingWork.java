package io.fibry;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the work that the actors of a system wait for while they are idle: one-shot timers, and stages of {@link
 * ActorContext#pipeToSelf}. The close of the system keeps the actors while there is such work, because its messages may need other
 * actors.
 *
 * <p><b>No work is missed.</b> Both counts only grow, and work begins before it ends. {@link #isNone} reads the ended work first:
 * if the two are equal, there was no work at the time of the first read. Work ends after its message is in a mailbox, so a
 * look at the mailboxes that follows finds the message. The caller then compares {@link #begun} with its value from before: if it
 * has not changed, there was no work in between.
 */
final class PendingWork {

    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final Runnable whenNone;

    /** @param whenNone runs on the thread that ends the last work; quick, and takes no lock */
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
