package io.fibry;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedCollection;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The messages of an actor whose mailbox has a limit or an order. They wait here, and the actor's {@link Mailbox} carries
 * nothing but wake-ups.
 *
 * <p>No message is missed: who adds to the room while no wake-up is under way sends one, after the message is in. A wake-up is
 * under way from then until the consumer finds the room empty, which it sees and says under one lock. So a message that comes
 * later finds no wake-up under way, and sends one. No message is accepted after the close, which is under the same lock and
 * before the mailbox is closed; a wake-up that the closed mailbox refuses is not needed, since the consumer of a closed mailbox
 * looks here anyway.
 */
final class WaitingRoom {

    /** A message, and when it came. */
    record Place(Envelope envelope, long number) {
        boolean isTask() {
            return envelope.reply == Reply.OF_TASK;
        }
    }

    /** What became of a message. */
    enum Outcome {
        ACCEPTED,
        /** Accepted, and the mailbox has to be told. */
        ACCEPTED_WAKE,
        FULL,
        CLOSED
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final MailboxSpec spec;

    private final SequencedCollection<Place> places; // guarded by the lock, as are the next ones
    private long arrivals;
    private boolean awake;
    private boolean closed;

    /** Written under the lock, read by everybody. */
    private volatile int size;

    WaitingRoom(MailboxSpec spec) {
        this.spec = spec;
        places = spec.newQueue();
    }

    /** Adds a message if there is room. */
    Outcome tryAdd(Envelope envelope) {
        lock.lock();
        try {
            if (closed) {
                return Outcome.CLOSED;
            }
            return isFull() ? Outcome.FULL : added(envelope);
        } finally {
            lock.unlock();
        }
    }

    /** Adds a message whatever the limit, unless it is closed. The mailbox has to be told. */
    boolean addInAnyCase(Envelope envelope) {
        lock.lock();
        try {
            return !closed && added(envelope) != Outcome.CLOSED;
        } finally {
            lock.unlock();
        }
    }

    /** Adds a message; the oldest one makes room for it, and goes to the caller. */
    Outcome addDroppingOldest(Envelope envelope, Consumer<Envelope> dropped) {
        Place oldest = null;
        Outcome outcome;
        lock.lock();
        try {
            if (closed) {
                return Outcome.CLOSED;
            }
            if (isFull()) {
                oldest = places.removeFirst();
            }
            outcome = added(envelope);
        } finally {
            lock.unlock();
        }
        if (oldest != null) {
            dropped.accept(oldest.envelope);
        }
        return outcome;
    }

    /** Waits until there is room, or it is closed, or nobody waits for the answer any more. What {@code beforeWait} throws ends the wait. */
    void awaitRoom(Envelope envelope, Runnable beforeWait) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (isFull() && !closed && !envelope.isGivenUp()) {
                beforeWait.run();
                room.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Has those who wait for room look whether they still want it. */
    void lookAgain() {
        lock.lock();
        try {
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The next message, or null; then a wake-up comes before the next one does. Consumer only. */
    @Nullable
    Envelope poll() {
        lock.lock();
        try {
            if (places.isEmpty()) {
                awake = false;
                return null;
            }
            Place next = places.removeFirst();
            size = places.size();
            room.signal();
            return next.envelope;
        } finally {
            lock.unlock();
        }
    }

    /** The first message that fits, or null. A wake-up comes with every message that arrives from now on. Consumer only. */
    @Nullable
    Envelope poll(Predicate<Envelope> wanted) {
        List<Place> waiting;
        lock.lock();
        try {
            awake = false;
            waiting = new ArrayList<>(places);
        } finally {
            lock.unlock();
        }
        for (Place place : waiting) { // without the lock, since this calls the program
            if (wanted.test(place.envelope) && remove(place)) {
                return place.envelope;
            }
        }
        return null;
    }

    private boolean remove(Place place) {
        lock.lock();
        try {
            boolean there = places.remove(place);
            size = places.size();
            room.signal();
            return there;
        } finally {
            lock.unlock();
        }
    }

    /** How many messages come before this ask; -1 if it is not here. */
    int position(Reply<?> ask) {
        lock.lock();
        try {
            int before = 0;
            for (Place place : places) {
                if (place.envelope.reply == ask) {
                    return before;
                }
                before++;
            }
            return -1;
        } finally {
            lock.unlock();
        }
    }

    /** Shows all messages that wait. */
    void forEach(Consumer<Envelope> action) {
        lock.lock();
        try {
            places.forEach(place -> action.accept(place.envelope));
        } finally {
            lock.unlock();
        }
    }

    /** From now on nothing is accepted; those who wait for room are told. */
    void close() {
        lock.lock();
        try {
            closed = true;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The messages that are accepted, and not yet begun. */
    int size() {
        return size;
    }

    boolean isFull() {
        return size >= spec.capacity();
    }

    MailboxSpec spec() {
        return spec;
    }

    private Outcome added(Envelope envelope) {
        places.add(new Place(envelope, arrivals++));
        size = places.size();
        boolean wake = !awake;
        awake = true;
        return wake ? Outcome.ACCEPTED_WAKE : Outcome.ACCEPTED;
    }
}
