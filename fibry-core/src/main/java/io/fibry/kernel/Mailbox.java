package io.fibry.kernel;

import io.fibry.dispatch.ActorLock;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.ScheduledActor;
import io.fibry.dispatch.StackRoom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An unbounded mailbox for many senders and one consumer at a time; a mailbox with a limit or a priority adds a
 * {@link BoundedMailbox}. The single word {@code top} also encodes the state of the consumer's role.
 *
 * <p>The algorithm is a Treiber stack with "take all". Senders push onto a stack; the consumer takes the whole stack
 * with one compare-and-set and reverses it. There is no ABA problem, because messages are never popped individually.
 * The same word holds the state, so admission, the wake-up and the close are each one atomic step:
 *
 * <pre>
 *   top == null      idle: no message, no consumer
 *   top == EMPTY     owned: a consumer is scheduled or running; no message since it last took
 *   top == envelope  owned, with messages to take
 *   top == CLOSED    owned, and closed permanently; the messages accepted last are in {@code last}
 *
 *   idle -> envelope         offer, of one or several linked messages; the sender transfers the role to the scheduler
 *   EMPTY -> envelope        offer
 *   envelope -> EMPTY        the consumer takes all
 *   EMPTY -> idle            the consumer releases its role
 *   anything -> CLOSED       close; from idle the closer acquires the consumer's role
 * </pre>
 *
 * <p><b>No message is missed.</b> Invariant: a mailbox with messages is owned. Either a thread holds the consumer's
 * role, or a {@link Pause} keeps it. The consumer releases the role only by a compare-and-set from EMPTY to idle. If a
 * message arrives before it, the compare-and-set fails and the consumer continues. If a message arrives after it, its
 * sender finds idle and makes the actor ready.
 *
 * <p>No error may occur in the sender between the compare-and-set from idle and {@link #ready}. The sender therefore
 * requires stack for both before the first, and {@code ready} retries after an {@link OutOfMemoryError}.
 *
 * <p><b>No message is accepted after the close.</b> Offer and close update the same word. An offer before the close is
 * accepted, and its message is taken. An offer after the close fails.
 *
 * <p><b>A backlog</b> is stored in {@linkplain MessageSegment segments}. An offer to a segment changes a place of it
 * instead of {@code top}. Consumer and closer change {@code top} first and then seal the segments, so such an offer is
 * either taken with the stack, or finds the seal and reads {@code top} again.
 *
 * <p><b>A stop that discards fails the waiting asks at once</b>, even while a handler runs for long. Waiting messages
 * are in two places, and the stopper sees both. The close moves the stack to {@code last}, which is accessed under one
 * lock only. The messages that the consumer has taken begin at {@code inHand}. The message being handled is that one,
 * or one after it that is not an ask, except if it is a segment. Every later ask is waiting.
 *
 * <p>The stopper and the consumer may race for the next ask. Before the consumer begins it, it writes {@code inHand}
 * and then reads whether attention is wanted. The stopper first requests attention and then reads {@code inHand}. All
 * four accesses are volatile. Either the stopper reads the new {@code inHand} and leaves that ask to the consumer, or
 * the consumer sees the request and does not begin the ask.
 *
 * <p><b>Memory order.</b> A compare-and-set on {@code top}, or on a place of a segment, publishes everything before it
 * to the thread that reads it. Actions before an offer therefore happen-before the handling of the message, and the
 * actions of one consumer happen-before the actions of the next.
 */
abstract class Mailbox extends ScheduledActor {

    private static final Envelope EMPTY = new Envelope("empty", null);
    private static final Envelope CLOSED = new Envelope("closed", null);
    private static final Consumer<Mailbox> WAKE_UP = Mailbox::pushWakeUp;
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

    /** The stack at the time of the close, oldest first. Guarded by {@link #closing}. */
    private @Nullable Envelope last;

    /**
     * The position of the consumer in the list that it has taken, oldest first. Between turns, the messages left for
     * the next turn. If it is a segment, none of its messages has begun. Written only by the consumer.
     */
    private @Nullable Envelope inHand;

    /** The lock held during the close, and by every access to the messages that were in the mailbox at the close. */
    abstract ActorLock closing();

    /**
     * Called by the sender whose message ended the idle state. The sender holds the consumer's role and transfers it.
     */
    abstract void ready();

    /** Adds a message. Returns false if the mailbox is closed; the envelope was then never in it. Any thread. */
    final boolean offer(Envelope envelope) {
        return (envelope.isPlain() && offerToSegment(envelope.message)) || push(envelope, envelope, false);
    }

    /**
     * Adds messages, oldest first, with no other message in between. Returns false if the mailbox is closed; none of
     * them was then ever in it. Any thread.
     */
    final boolean offerAll(List<Envelope> group) {
        Envelope newest = Envelope.linked(group);
        boolean accepted = push(newest, group.getFirst(), false);
        if (!accepted) {
            group.forEach(envelope -> envelope.next = null); // as in push: ChildMessages may queue them
        }
        return accepted;
    }

    /**
     * Adds a plain message without an envelope if the mailbox has a backlog. Returns false otherwise; the caller then
     * {@linkplain #offer offers} it. Any thread.
     */
    final boolean offerToSegment(Object message) {
        if (message instanceof Envelope) { // a listener of measured messages has these
            return false;
        }
        while (true) {
            Envelope seen = top;
            if (seen == null || !MessageSegment.isBacklog(seen)) {
                return false;
            }
            boolean added = seen instanceof MessageSegment s && s.add(message);
            if (added || (top == seen && TOP.compareAndSet(this, seen, new MessageSegment(seen, message)))) {
                return true;
            }
        }
    }

    private boolean push(Envelope newest, Envelope oldest, boolean hasRequiredStack) {
        while (true) {
            Envelope seen = top;
            if (seen == null && !hasRequiredStack) {
                StackRoom.require(); // for ready()
            }
            if (seen == CLOSED) {
                oldest.next = null; // set by an attempt before the close; ChildMessages may queue this envelope
                return false;
            }
            oldest.next = null; // after an earlier attempt it would keep older messages reachable
            if (seen instanceof MessageSegment s && newest == oldest && s.add(newest)) {
                return true;
            }
            oldest.next = seen == EMPTY ? null : seen;
            if (TOP.compareAndSet(this, seen, newest)) {
                if (seen == null) {
                    ready();
                }
                return true;
            }
        }
    }

    /** Adds a signal. Returns false if the mailbox is closed. Any thread. */
    final boolean signal(Signal signal) {
        return signal(signal, false);
    }

    /** As {@link #signal(Signal)}. If the caller has required stack, fails only if memory runs out. */
    final boolean signal(Signal signal, boolean hasRequiredStack) {
        var envelope = new Envelope(signal, Reply.OF_SIGNAL);
        return push(envelope, envelope, hasRequiredStack);
    }

    /**
     * Makes the consumer check the bounded mailbox and the lifecycle. Has no effect on a closed mailbox, whose consumer
     * checks them anyway. The caller has required stack before it changed the state to be checked.
     */
    final void wakeUp() {
        OutOfMemory.repeat(WAKE_UP, this); // the change has been made, so the consumer must be notified
    }

    private void pushWakeUp() {
        var wakeUp = new Envelope(Signal.WAKE_UP, Reply.OF_SIGNAL);
        push(wakeUp, wakeUp, true);
    }

    /** The accepted messages in order, or null if there are none. The first node is not a segment. Consumer only. */
    final @Nullable Envelope takeAll() {
        Envelope kept = inHand;
        if (kept != null) {
            return kept.isReached() ? reach(kept) : kept;
        }
        while (true) {
            Envelope seen = top;
            if (seen == CLOSED) {
                return takeLast();
            }
            if (seen == null || seen == EMPTY) { // never null: the caller holds the consumer's role
                return null;
            }
            if (TOP.compareAndSet(this, seen, EMPTY)) {
                return inHand(Envelope.reversed(seen));
            }
        }
    }

    private @Nullable Envelope takeLast() {
        ActorLock lock = closing();
        lock.lock();
        try {
            Envelope accepted = last;
            last = null;
            return accepted == null ? null : inHand(accepted);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the messages that arrived since the last take, and appends them to the given message, the last one in hand.
     * Consumer only.
     */
    final @Nullable Envelope takeMore(Envelope behind) {
        ActorLock lock = closing();
        lock.lock();
        try {
            Envelope seen = top; // cannot become CLOSED while the lock is held
            if (seen == CLOSED) {
                behind.next = last;
                last = null;
            } else if (seen != EMPTY) {
                behind.next = Envelope.reversed((Envelope) TOP.getAndSet(this, EMPTY));
            }
            return behind.next;
        } finally {
            lock.unlock();
        }
    }

    /** The message after the given one in hand, or null. A segment is replaced by its messages. Consumer only. */
    final @Nullable Envelope unpackAfter(Envelope before) {
        if (before.next instanceof MessageSegment s) {
            Envelope first = s.unpacked();
            closing().lock();
            try {
                before.next = first;
            } finally {
                closing().unlock();
            }
        }
        return before.next;
    }

    /** Inserts linked messages before all others. Consumer only, between turns, under {@link #closing}. */
    final void putFirst(Envelope first, Envelope last) {
        last.next = inHand;
        inHand = first;
    }

    /** Inserts linked messages in hand, right after the given one. Consumer only, under {@link #closing}. */
    final void insert(Envelope first, Envelope last, Envelope after) {
        last.next = after.next;
        after.next = first;
    }

    /** Removes the message after the given one in hand. Consumer only. */
    final void removeAfter(Envelope before) {
        closing().lock();
        try {
            Envelope removed = before.next;
            before.next = removed == null ? null : removed.next;
        } finally {
            closing().unlock();
        }
    }

    /** Sets the messages that the consumer has taken. Consumer only. */
    final Envelope inHand(Envelope oldestFirst) {
        if (oldestFirst.next == null) {
            inHand = oldestFirst; // plain write: no ask that a stopper could fail waits behind it
        } else {
            IN_HAND.setVolatile(this, oldestFirst);
        }
        return oldestFirst;
    }

    /**
     * Announces that the consumer is about to begin this ask, or the messages of this segment. Returns the first
     * message. Consumer only.
     */
    final Envelope reach(Envelope node) {
        Envelope first = node;
        if (node instanceof MessageSegment s) {
            IN_HAND.setRelease(this, s); // unpacking may wait for memory, and must not keep handled messages reachable
            first = s.unpacked();
        }
        IN_HAND.setVolatile(this, first);
        return first;
    }

    /** Leaves messages of {@link #takeAll} for the next turn; null if there are none. Consumer only. */
    final void putBack(@Nullable Envelope oldestFirst) {
        inHand = oldestFirst;
    }

    /** Whether the last turn left messages behind. Consumer only, before it takes any. */
    final boolean hasLeftOver() {
        return inHand != null;
    }

    /** The current or a recent position of the consumer. Any thread. */
    final @Nullable Envelope inHand() {
        return (Envelope) IN_HAND.getVolatile(this);
    }

    /** The newest node on the stack, or null. Any thread. */
    final @Nullable Envelope newest() {
        Envelope seen = top;
        return seen == EMPTY || seen == CLOSED ? null : seen;
    }

    /**
     * Releases the consumer's role. Returns false if there are messages to take. Consumer only, with no messages left
     * over.
     */
    final boolean becomeIdle() {
        return TOP.compareAndSet(this, EMPTY, null);
    }

    /** Releases the consumer's role, or schedules the actor if there are messages to handle. Consumer only. */
    final void releaseRole() {
        if (!becomeIdle()) {
            ready();
        }
    }

    /** Acquires the consumer's role if the mailbox is idle. Returns whether it did. */
    final boolean becomeConsumer() {
        return TOP.compareAndSet(this, null, EMPTY);
    }

    /**
     * Closes the mailbox. The accepted messages stay in it. Called under {@link #closing}.
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
                // Safe after the compare-and-set: the consumer reads this field under the lock.
                last = seen == null || seen == EMPTY ? null : Envelope.reversed(seen);
                return seen == null;
            }
        }
    }

    /**
     * The messages that were on the stack at the close and have not been taken, oldest first. Any thread, under
     * {@link #closing}.
     */
    final @Nullable Envelope lastAccepted() {
        return last;
    }

    /**
     * Passes the waiting messages with an envelope to the action. Called under {@link #closing}, after the close.
     *
     * @param inTurn whether a turn is in progress, so that the first message in hand may be being handled
     */
    final void forEachWaiting(Consumer<Envelope> action, boolean inTurn) {
        Envelope first = inHand();
        if (first != null && (first.isSuspended() || (inTurn && !(first instanceof MessageSegment)))) {
            first = first.next;
        }
        MessageSegment.forEachEnvelope(first, action);
        MessageSegment.forEachEnvelope(last, action);
    }

    /**
     * Accepts one message and closes. Only for a new mailbox that is not yet published. The caller holds the consumer's
     * role afterwards.
     */
    final void acceptOnly(Envelope envelope) {
        inHand = envelope; // rather than last, which would be taken under a lock
        top = CLOSED;
    }

    /** Whether there is neither a message nor a consumer. A snapshot. */
    final boolean isIdle() {
        return top == null;
    }

    final boolean isClosed() {
        return top == CLOSED;
    }
}
