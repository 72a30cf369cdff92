package io.fibry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * An unbounded mailbox for many senders and one consumer at a time, and the word that says who consumes.
 *
 * <p>The idea: senders push onto a stack, the consumer takes the whole stack with one compare-and-set and turns it
 * round (the scheme of Treiber's stack with "take all", which has no ABA problem because nothing is ever popped one by
 * one). The same word tells the state, so that admission, the wake-up and the end are each one atomic step:
 *
 * <pre>
 *   top == null      idle: no message, no consumer
 *   top == EMPTY     owned: a consumer is on its way or at work, nothing new since it last took
 *   top == envelope  owned, with messages to take
 *   top == CLOSED    owned and closed for good; what was accepted last is in {@code last}
 *
 *   idle -> envelope         offer; the sender hands the consumer's role to the scheduler
 *   EMPTY -> envelope        offer
 *   envelope -> EMPTY        the consumer takes all
 *   EMPTY -> idle            the consumer gives up its role
 *   anything -> CLOSED       close; from idle the closer takes the consumer's role
 * </pre>
 *
 * <p>No message is missed: the consumer gives up its role only by changing EMPTY to idle, which fails if a message came
 * in between; a message that comes later finds idle, and its sender makes the actor ready. No message is accepted after
 * the close: both are changes of one word. In a linked queue
 * whose senders swap the tail first and link afterwards (Vyukov's) the consumer has to spin while a sender is between the two
 * steps, and the state is a second word, which admission would have to check before it enqueues.
 *
 * <p>Memory order: a compare-and-set publishes everything before it to the one that reads the word, so what precedes an
 * offer happens-before the message's handling, and one consumer's work happens-before the next consumer's.
 */
abstract class Mailbox {

    private static final Envelope EMPTY = new Envelope("empty", null);
    private static final Envelope CLOSED = new Envelope("closed", null);
    private static final VarHandle TOP;

    static {
        try {
            TOP = MethodHandles.lookup().findVarHandle(Mailbox.class, "top", Envelope.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Envelope top;

    /** What the closer found on the stack; written before the word becomes CLOSED, read by the consumer afterwards. */
    private @Nullable Envelope last;

    /** What the consumer has taken and left for its next turn, oldest first. Consumer only. */
    private @Nullable Envelope left;

    /** Called by a sender whose message ended the idle state: the caller holds the consumer's role and passes it on. */
    abstract void ready();

    /** Adds a message; false if the mailbox is closed, and then the envelope was never in it. Any thread. */
    final boolean offer(Envelope envelope) {
        while (true) {
            Envelope seen = top;
            if (seen == CLOSED) {
                return false;
            }
            envelope.next = seen == EMPTY ? null : seen;
            if (TOP.compareAndSet(this, seen, envelope)) {
                if (seen == null) {
                    ready();
                }
                return true;
            }
        }
    }

    /** The accepted messages in order, linked by {@code next}, or null if there is none. Consumer only. */
    final @Nullable Envelope takeAll() {
        Envelope kept = left;
        if (kept != null) {
            left = null;
            return kept;
        }
        while (true) {
            Envelope seen = top;
            if (seen == CLOSED) {
                Envelope accepted = last;
                last = null;
                return reversed(accepted);
            }
            if (seen == EMPTY) {
                return null;
            }
            if (TOP.compareAndSet(this, seen, EMPTY)) {
                return reversed(seen);
            }
        }
    }

    /** Leaves messages of {@link #takeAll} for the consumer's next turn. Consumer only. */
    final void putBack(@Nullable Envelope oldestFirst) {
        left = oldestFirst;
    }

    /** Whether the last turn left messages behind. Consumer only. */
    final boolean hasLeftOver() {
        return left != null;
    }

    /** Gives up the consumer's role; false if there is something to take after all. Consumer only, nothing left over. */
    final boolean becomeIdle() {
        return TOP.compareAndSet(this, EMPTY, null);
    }

    /**
     * Closes the mailbox; what was accepted stays in it. At most one call at a time.
     *
     * @return whether the mailbox was idle, so that the caller now holds the consumer's role
     */
    final boolean closeMailbox() {
        while (true) {
            Envelope seen = top;
            if (seen == CLOSED) {
                return false;
            }
            last = seen == EMPTY ? null : seen;
            if (TOP.compareAndSet(this, seen, CLOSED)) {
                return seen == null;
            }
        }
    }

    /** Takes one message and closes; only for a new mailbox that nobody else sees. The caller gets the consumer's role. */
    final void acceptOnly(Envelope envelope) {
        last = envelope;
        top = CLOSED;
    }

    /** Whether there is neither a message nor a consumer, for the moment. */
    final boolean isIdle() {
        return top == null;
    }

    final boolean isClosed() {
        return top == CLOSED;
    }

    private static @Nullable Envelope reversed(@Nullable Envelope newestFirst) {
        Envelope oldestFirst = null;
        for (Envelope e = newestFirst; e != null; ) {
            Envelope older = e.next;
            e.next = oldestFirst;
            oldestFirst = e;
            e = older;
        }
        return oldestFirst;
    }
}
