package io.fibry.kernel;

import io.fibry.Actor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The waiting messages of a mailbox with a limit or a priority. The actor's {@link Mailbox} carries only wake-ups. The
 * {@link Room} counts the messages.
 *
 * <p><b>No message is missed.</b> Invariant: while there is a message, a wake-up is pending, or the consumer has yet to
 * poll this mailbox again. The mailbox is <em>awake</em> or asleep. It falls asleep when the consumer finds it empty;
 * the check and the change are one atomic step. A sender whose message finds it asleep wakes it in the same step that
 * adds the message, and then sends a wake-up. If a message is added before the mailbox falls asleep, the consumer finds
 * it. If it is added afterwards, its sender sends a wake-up.
 *
 * <p><b>No message is accepted after the close.</b> The close comes before the close of the {@link Mailbox}. If the
 * closed {@code Mailbox} then refuses a wake-up, nothing is lost: its consumer polls this mailbox anyway.
 *
 * <p><b>A consumer that holds the mailbox</b> leaves its messages there; see {@link Holding#hold}. It releases the
 * mailbox in a turn, and polls it in the same turn or in the next one, which follows at once. That is the poll of the
 * invariant above, so a release needs no wake-up. Meanwhile other threads may take messages; see {@link Holding#take}.
 * They leave the mailbox awake, since the poll after the release is still to come. The hold begins and ends under the
 * lock, under which these threads take messages, so they never compete with the consumer.
 */
abstract class BoundedMailbox {

    /** The result of adding a message. */
    enum Outcome {
        ACCEPTED,
        /** Accepted, and the caller has to send a wake-up to the mailbox. */
        ACCEPTED_WAKE,
        FULL,
        CLOSED
    }

    final Room room;
    private final MailboxSpec spec;
    private volatile @Nullable MailboxHold hold; // created by the first hold; consumer only

    BoundedMailbox(MailboxSpec spec) {
        this.spec = spec;
        room = new Room(spec.capacity());
    }

    // ---- for senders

    /** Adds a message if there is room. */
    abstract Outcome tryAdd(Envelope envelope);

    /**
     * Adds all messages, with no other message in between, or none. If there is no room, removes the oldest messages if
     * the policy requires it, and passes them to {@code dropped}, without the lock.
     */
    abstract Outcome tryAddAll(List<Envelope> group, Consumer<Envelope> dropped);

    /** Adds a message regardless of the limit. Returns false if closed; otherwise the caller has to send a wake-up. */
    abstract boolean addInAnyCase(Envelope envelope);

    /** Adds a message, after a wait if there is no room. Returns FULL if its ask has ended. */
    final Outcome addOrWait(Envelope envelope, Room.Waiter wait) throws InterruptedException {
        var noRoom = new NoRoom(this, envelope);
        room.lock.lockInterruptibly();
        try {
            while (true) {
                room.awaitWhile(noRoom, wait);
                if (envelope.isGivenUp()) {
                    room.passSignalOn();
                    return Outcome.FULL;
                }
                Outcome outcome = tryAddAfterWait(envelope);
                if (outcome != Outcome.FULL) { // else another sender has taken the place
                    return outcome;
                }
            }
        } finally {
            room.lock.unlock();
        }
    }

    /** The condition for a sender to wait: its message has no room, and may get some. */
    private record NoRoom(BoundedMailbox mailbox, Envelope envelope) implements BooleanSupplier {
        @Override
        public boolean getAsBoolean() {
            return mailbox.isFull() && !mailbox.isClosed() && !envelope.isGivenUp();
        }
    }

    /** If an error, for instance of the comparator, leaves the place free, another sender has to be woken for it. */
    private Outcome tryAddAfterWait(Envelope envelope) {
        boolean hasReturned = false;
        try {
            Outcome outcome = tryAdd(envelope);
            hasReturned = true;
            return outcome;
        } finally {
            if (!hasReturned) {
                room.passSignalOn();
            }
        }
    }

    /** Wakes the senders that wait for room, so that they check their condition again. */
    final void lookAgain() {
        room.wakeAll();
    }

    /** Returns a future for {@link Actor#whenWritable}; null if the mailbox has been closed. */
    @Nullable
    final CompletableFuture<@Nullable Void> awaitRoom() {
        room.lock.lock();
        try {
            if (isClosed()) {
                return null;
            }
            return spec.overflow().drops() ? CompletableFuture.completedFuture(null) : room.future(this::hasRoom);
        } finally {
            room.lock.unlock();
        }
    }

    private boolean hasRoom() {
        return !room.isFull() && !isClosed();
    }

    /** Null if none has been requested. */
    @Nullable
    final RoomFutures futures() {
        return room.futures();
    }

    // ---- for the consumer

    /** The next message. If null, the mailbox is held, or the next message to arrive sends a wake-up. Consumer only. */
    @Nullable
    final Envelope poll() {
        if (isHeld()) {
            return null;
        }
        Envelope next = pollNext();
        RoomFutures.passRoomOn(futures()); // also if it is empty: another thread may have taken a message
        return next;
    }

    /** As {@link #poll}, for a mailbox that is not held. Completes no futures. */
    abstract @Nullable Envelope pollNext();

    /** Removes the first matching message; null if none. The next message to arrive sends a wake-up. Consumer only. */
    @Nullable
    final Envelope poll(Predicate<Envelope> wanted) {
        for (Envelope envelope : fallAsleep()) { // without the lock: the predicate is user code
            if (wanted.test(envelope) && remove(envelope)) {
                RoomFutures.passRoomOn(futures());
                return envelope;
            }
        }
        return null;
    }

    /** Makes the next message to arrive send a wake-up, and returns the messages that are there. Consumer only. */
    abstract List<Envelope> fallAsleep();

    /** Removes this message. Returns false if it is absent. Consumer only. */
    abstract boolean remove(Envelope envelope);

    // ---- holding

    /** Leaves the messages here until {@link #release}. Consumer only. */
    final void hold() {
        MailboxHold h = hold;
        if (h == null) {
            h = new MailboxHold();
            hold = h;
            lookAgain(); // descendants must not wait from now on
        }
        room.lock.lock();
        try {
            h.begin();
        } finally {
            room.lock.unlock();
        }
    }

    /** Ends a hold. Returns whether the mailbox was held. Consumer only, before it polls again. */
    final boolean release() {
        MailboxHold h = hold;
        if (h == null) {
            return false;
        }
        room.lock.lock();
        try {
            return h.end();
        } finally {
            room.lock.unlock();
        }
    }

    /**
     * Takes the next message on behalf of the consumer. Returns null if the consumer does not hold the mailbox, or if
     * only the consumer can handle the next message: an ask, code, or a message with instrumentation. The caller has to
     * call {@link RoomFutures#passRoomOn} afterwards. Any thread.
     */
    @Nullable
    final Object takeHeld() {
        room.lock.lock();
        try {
            MailboxHold h = hold;
            Envelope next = h != null && h.isOn() ? peek() : null;
            if (h == null || next == null || next.reply != null || next instanceof InstrumentedEnvelope) {
                return null;
            }
            removeFirst();
            h.countTaken();
            return next.message;
        } finally {
            room.lock.unlock();
        }
    }

    /** The next message of a held mailbox. Under the lock. */
    abstract @Nullable Envelope peek();

    /** Removes the message that {@link #peek} has returned. Under the lock. */
    abstract void removeFirst();

    final boolean isHeld() {
        MailboxHold h = hold;
        return h != null && h.isOn();
    }

    /** Null if the consumer has never held the mailbox. */
    @Nullable
    final MailboxHold holdIfAny() {
        return hold;
    }

    // ---- for any thread

    /**
     * Passes all waiting messages to the action, under the lock. While the consumer takes messages other than asks, it
     * may include one that has just been taken.
     */
    abstract void forEach(Consumer<Envelope> action);

    /** Closes the mailbox: refuses further messages, and wakes the senders that wait for room. */
    abstract void close();

    abstract boolean isClosed();

    /** The number of accepted messages whose handling has not begun. */
    final int size() {
        return room.size();
    }

    final boolean isFull() {
        return room.isFull();
    }

    /** Whether senders wait here. */
    final boolean holdsSenders() {
        return isFull() && !isClosed();
    }

    final MailboxSpec spec() {
        return spec;
    }
}
