package io.fibry;

import io.fibry.dispatch.Schedulable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
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
 * <p>How a stop that discards fails the waiting asks at once, while a handler is at work, perhaps for long: what waits is in three
 * places, of which the stopper sees each. What is still on the stack when the mailbox is closed goes into {@code last}, which is
 * touched under one lock alone. What the consumer has taken begins at {@code inHand}. The message there, or one that nobody
 * waits for and that follows it, is at work. The consumer sets {@code inHand} anew before it begins another ask, and then looks whether a
 * stop wants its attention; the stopper calls for attention, and then reads {@code inHand}; all of that is volatile. So either
 * the stopper knows of the ask that is begun and lets it be, or the consumer sees the stop before it begins.
 *
 * <p>Memory order: a compare-and-set publishes everything before it to the one that reads the word, so what precedes an
 * offer happens-before the message's handling, and one consumer's work happens-before the next consumer's.
 */
abstract class Mailbox extends Schedulable {

    private static final Envelope EMPTY = new Envelope("empty", null);
    private static final Envelope CLOSED = new Envelope("closed", null);
    private static final VarHandle TOP;
    private static final VarHandle IN_HAND;

    static {
        try {
            var lookup = MethodHandles.lookup();
            TOP = lookup.findVarHandle(Mailbox.class, "top", Envelope.class);
            IN_HAND = lookup.findVarHandle(Mailbox.class, "inHand", Envelope.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Envelope top;

    /** What the closer found on the stack, oldest first. Guarded by {@link #closing}. */
    private @Nullable Envelope last;

    /**
     * Where the consumer is in what it has taken, oldest first; between its turns, what it has left for the next one. Written by the
     * consumer.
     */
    private @Nullable Envelope inHand;

    /** Held while the mailbox is closed, and by who touches what was in it then. */
    abstract ReentrantLock closing();

    /** Called by a sender whose message ended the idle state: the caller holds the consumer's role and passes it on. */
    abstract void ready();

    /** Adds a message; false if the mailbox is closed, and then the envelope was never in it. Any thread. */
    final boolean offer(Envelope envelope) {
        while (true) {
            Envelope seen = top;
            if (seen == CLOSED) {
                envelope.next = null; // set by an attempt before the close; ChildMessages may queue this envelope
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

    /** Sends something that is not a message; false if the mailbox is closed. Any thread. */
    final boolean signal(Signal signal) {
        return offer(new Envelope(signal, Reply.OF_SIGNAL));
    }

    /** Has the consumer look into the waiting room, and at what concerns it. If the mailbox is closed already, it will anyway. */
    final void wakeUp() {
        signal(Signal.WAKE_UP);
    }

    /** The accepted messages in order, linked by {@code next}, or null if there is none. Consumer only. */
    final @Nullable Envelope takeAll() {
        Envelope kept = inHand;
        if (kept != null) {
            return kept;
        }
        while (true) {
            Envelope seen = top;
            if (seen == CLOSED) {
                return takeLast();
            }
            if (seen == null || seen == EMPTY) { // null never, since the consumer's role is taken
                return null;
            }
            if (TOP.compareAndSet(this, seen, EMPTY)) {
                return inHand(reversed(seen));
            }
        }
    }

    private @Nullable Envelope takeLast() {
        ReentrantLock lock = closing();
        lock.lock();
        try {
            Envelope accepted = last;
            last = null;
            return accepted == null ? null : inHand(accepted);
        } finally {
            lock.unlock();
        }
    }

    /** Takes what came since the last taking, and puts it behind this message, the last one in hand. Consumer only. */
    final @Nullable Envelope takeMore(Envelope behind) {
        ReentrantLock lock = closing();
        lock.lock();
        try {
            Envelope seen = top; // closed or not, that does not change under the lock
            if (seen == CLOSED) {
                behind.next = last;
                last = null;
            } else if (seen != EMPTY) {
                behind.next = reversed((Envelope) TOP.getAndSet(this, EMPTY));
            }
            return behind.next;
        } finally {
            lock.unlock();
        }
    }

    /** Puts a message before all others, between two turns. Consumer only. */
    final void putFirst(Envelope envelope) {
        envelope.next = inHand;
        inHand = envelope;
    }

    /** Puts a message before those in hand that come after this one. Consumer only. */
    final void insert(Envelope inserted, Envelope after) {
        closing().lock();
        try {
            inserted.next = after.next;
            after.next = inserted;
        } finally {
            closing().unlock();
        }
    }

    /** Takes the message after this one out of those in hand. Consumer only. */
    final void removeAfter(Envelope before) {
        closing().lock();
        try {
            Envelope removed = before.next;
            before.next = removed == null ? null : removed.next;
        } finally {
            closing().unlock();
        }
    }

    /** The consumer has taken these. Consumer only. */
    final Envelope inHand(Envelope oldestFirst) {
        if (oldestFirst.next == null) {
            inHand = oldestFirst; // nothing waits behind it
        } else {
            IN_HAND.setVolatile(this, oldestFirst);
        }
        return oldestFirst;
    }

    /** The consumer is about to begin this ask. Consumer only. */
    final void reach(Envelope ask) {
        IN_HAND.setVolatile(this, ask);
    }

    /** Leaves messages of {@link #takeAll} for the consumer's next turn; null if there are none. Consumer only. */
    final void putBack(@Nullable Envelope oldestFirst) {
        inHand = oldestFirst;
    }

    /** Whether the last turn left messages behind. Consumer only, before it takes any. */
    final boolean hasLeftOver() {
        return inHand != null;
    }

    /** Where the consumer is, or was a moment ago. Any thread. */
    final @Nullable Envelope inHand() {
        return (Envelope) IN_HAND.getVolatile(this);
    }

    /** The newest message on the stack, or null. Any thread. */
    final @Nullable Envelope newest() {
        Envelope seen = top;
        return seen == EMPTY || seen == CLOSED ? null : seen;
    }

    /** Gives up the consumer's role; false if there is something to take after all. Consumer only, nothing left over. */
    final boolean becomeIdle() {
        return TOP.compareAndSet(this, EMPTY, null);
    }

    /** Takes the consumer's role if nobody has it. */
    final boolean becomeConsumer() {
        return TOP.compareAndSet(this, null, EMPTY);
    }

    /**
     * Closes the mailbox; what was accepted stays in it. Under {@link #closing}.
     *
     * @return whether the mailbox was idle, so that the caller now holds the consumer's role
     */
    final boolean closeMailbox() {
        while (true) {
            Envelope seen = top;
            if (seen == CLOSED) {
                return false;
            }
            if (TOP.compareAndSet(this, seen, CLOSED)) {
                // The consumer needs the lock to look for it.
                last = seen == null || seen == EMPTY ? null : reversed(seen);
                return seen == null;
            }
        }
    }

    /**
     * Shows all messages that wait. Under {@link #closing}, when the mailbox is closed.
     *
     * @param atWork whether a turn is under way, so that the first message in hand may be at work
     */
    final void forEachWaiting(Consumer<Envelope> action, boolean atWork) {
        Envelope first = inHand();
        for (Envelope e = atWork && first != null ? first.next : first; e != null; e = e.next) {
            action.accept(e);
        }
        for (Envelope e = last; e != null; e = e.next) {
            action.accept(e);
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

    private static Envelope reversed(Envelope newestFirst) {
        Envelope oldestFirst = newestFirst;
        Envelope e = newestFirst.next;
        if (e != null) {
            newestFirst.next = null;
        }
        while (e != null) {
            Envelope older = e.next;
            e.next = oldestFirst;
            oldestFirst = e;
            e = older;
        }
        return oldestFirst;
    }
}
