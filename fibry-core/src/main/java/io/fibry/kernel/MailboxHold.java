package io.fibry.kernel;

import java.util.concurrent.atomic.AtomicLong;

/** The hold of a {@link BoundedMailbox}, and the messages that other threads have taken meanwhile. */
final class MailboxHold {

    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong discarded = new AtomicLong();
    private volatile boolean on; // written by the consumer only

    boolean isOn() {
        return on;
    }

    void begin() {
        on = true;
    }

    /** Returns whether it was on. */
    boolean end() {
        boolean was = on;
        on = false;
        return was;
    }

    /** Called by a thread that has taken a message. Under the lock of the mailbox, hence before the last poll. */
    void countTaken() {
        taken.incrementAndGet();
    }

    /** Called by a thread that could not pass a taken message on. */
    void countDiscarded() {
        taken.decrementAndGet();
        discarded.incrementAndGet();
    }

    /** The number of taken messages that the consumer has not counted. */
    long taken() {
        return taken.get();
    }

    /** Returns {@link #taken}, and sets it to zero, since the consumer counts these messages now. */
    long takenSinceLast() {
        return taken.get() == 0 ? 0 : taken.getAndSet(0);
    }

    /** As {@link #takenSinceLast}, for discarded messages. */
    long discardedSinceLast() {
        return discarded.get() == 0 ? 0 : discarded.getAndSet(0);
    }
}
