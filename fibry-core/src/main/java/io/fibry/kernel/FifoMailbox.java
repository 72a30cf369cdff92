package io.fibry.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BoundedMailbox} in FIFO order whose messages only the consumer removes. A sender and the consumer do not
 * wait for each other.
 *
 * <p>Senders push onto a Treiber stack, as in {@link Mailbox}. The consumer takes the whole stack and reverses it, and
 * then takes messages from this list. The word {@code top} also holds the state of the mailbox:
 *
 * <pre>
 *   top == null      asleep; no message since it fell asleep
 *   top == EMPTY     awake; no message since the consumer last took the stack
 *   top == envelope  awake, with messages
 *   top == CLOSED    closed permanently; the messages accepted last are in {@code last}
 * </pre>
 *
 * <p><b>Other threads see every waiting ask.</b> A stop that discards messages fails the waiting asks at once. The
 * consumer therefore takes asks, and stacks, only under the lock, under which other threads read the list. It takes
 * other messages without the lock. A reader that then loses its place in the list starts again.
 */
final class FifoMailbox extends BoundedMailbox {

    private static final Envelope EMPTY = new Envelope("empty", null);
    private static final Envelope CLOSED = new Envelope("closed", null);
    private static final VarHandle TOP;
    private static final VarHandle FIRST;

    static {
        try {
            var lookup = MethodHandles.lookup();
            TOP = lookup.findVarHandle(FifoMailbox.class, "top", Envelope.class);
            FIRST = lookup.findVarHandle(FifoMailbox.class, "first", Envelope.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Envelope top;

    /** The list of the consumer, oldest first. Written by the consumer, or under the lock while the mailbox is held. */
    private @Nullable Envelope first;

    private @Nullable Envelope end; // the newest message of the list if it is not empty; guarded by the lock
    private @Nullable Envelope last; // the newest message of the stack at the close; guarded by the lock

    FifoMailbox(MailboxSpec spec) {
        super(spec);
    }

    // ---- adding

    @Override
    Outcome tryAdd(Envelope envelope) {
        return room.enter(1) ? push(envelope, envelope, 1) : closedOrFull();
    }

    @Override
    Outcome tryAddAll(List<Envelope> group, Consumer<Envelope> dropped) {
        if (!room.enter(group.size())) {
            return closedOrFull();
        }
        Envelope newest = Envelope.linked(group);
        Outcome outcome = push(newest, group.getFirst(), group.size());
        if (outcome == Outcome.CLOSED) {
            group.forEach(envelope -> envelope.next = null); // ChildMessages may queue them
        }
        return outcome;
    }

    @Override
    boolean addInAnyCase(Envelope envelope) {
        room.enterInAnyCase(1);
        return push(envelope, envelope, 1) != Outcome.CLOSED;
    }

    private Outcome closedOrFull() {
        return isClosed() ? Outcome.CLOSED : Outcome.FULL;
    }

    /** Adds linked messages that have taken their places. */
    private Outcome push(Envelope newest, Envelope oldest, int places) {
        while (true) {
            Envelope seen = top;
            if (seen == CLOSED) {
                oldest.next = null;
                room.withdraw(places);
                return Outcome.CLOSED;
            }
            oldest.next = seen == EMPTY ? null : seen;
            if (TOP.compareAndSet(this, seen, newest)) {
                return seen == null ? Outcome.ACCEPTED_WAKE : Outcome.ACCEPTED;
            }
        }
    }

    // ---- taking

    @Override
    @Nullable
    Envelope pollNext() {
        Envelope next = first;
        if (next == null || next.isAsk()) {
            next = pollLocked();
            if (next == null) {
                return null;
            }
        } else {
            unlinkFirst(next);
        }
        room.leave();
        return next;
    }

    private @Nullable Envelope pollLocked() {
        room.lock.lock();
        try {
            Envelope next = peek();
            while (next == null && !fallsAsleep()) {
                next = peek();
            }
            if (next != null) {
                unlinkFirst(next);
            }
            return next;
        } finally {
            room.lock.unlock();
        }
    }

    /** Makes the mailbox fall asleep if there is no message on the stack. Returns whether it did, or is closed. */
    private boolean fallsAsleep() {
        Envelope seen = top;
        return seen == null || seen == CLOSED || TOP.compareAndSet(this, EMPTY, null);
    }

    private void unlinkFirst(Envelope envelope) {
        FIRST.setOpaque(this, envelope.next); // for readers under the lock
        envelope.next = null; // it is about to be the only one in hand
    }

    @Override
    @Nullable
    Envelope peek() {
        if (first == null) {
            takeStack();
        }
        return first;
    }

    @Override
    void removeFirst() {
        Envelope next = first;
        if (next != null) {
            unlinkFirst(next);
            room.leave();
        }
    }

    /** Appends the stack to the list. Under the lock. */
    private void takeStack() {
        Envelope newest = top;
        if (newest == CLOSED) {
            newest = last;
            last = null;
        } else if (newest == null || newest == EMPTY) {
            newest = null;
        } else {
            newest = (Envelope) TOP.getAndSet(this, EMPTY); // not closed meanwhile, since a close acquires the lock
        }
        if (newest == null) {
            return;
        }
        Envelope oldest = Envelope.reversed(newest);
        Envelope before = end;
        if (first == null || before == null) {
            FIRST.setOpaque(this, oldest);
        } else {
            before.next = oldest;
        }
        end = newest;
    }

    @Override
    List<Envelope> fallAsleep() {
        room.lock.lock();
        try {
            do {
                takeStack();
            } while (!fallsAsleep());
            List<Envelope> waiting = new ArrayList<>();
            for (Envelope e = first; e != null; e = e.next) {
                waiting.add(e);
            }
            return waiting;
        } finally {
            room.lock.unlock();
        }
    }

    @Override
    boolean remove(Envelope envelope) {
        room.lock.lock();
        try {
            Envelope before = null;
            Envelope e = first;
            while (e != null && e != envelope) {
                before = e;
                e = e.next;
            }
            if (e == null) {
                return false;
            }
            if (before == null) {
                unlinkFirst(e);
            } else {
                before.next = e.next;
                e.next = null;
                end = end == e ? before : end;
            }
            room.leave();
            return true;
        } finally {
            room.lock.unlock();
        }
    }

    // ---- other threads

    @Override
    void forEach(Consumer<Envelope> action) {
        room.lock.lock();
        try {
            List<Envelope> waiting = listed();
            while (waiting == null) {
                waiting = listed();
            }
            int listed = waiting.size();
            Envelope newest = top;
            newest = newest == CLOSED ? last : newest == EMPTY ? null : newest;
            for (Envelope e = newest; e != null; e = e.next) {
                waiting.add(e);
            }
            Collections.reverse(waiting.subList(listed, waiting.size()));
            waiting.forEach(action);
        } finally {
            room.lock.unlock();
        }
    }

    /** The messages of the list. Null if the consumer has taken the one that this method was reading. */
    private @Nullable List<Envelope> listed() {
        List<Envelope> listed = new ArrayList<>();
        Envelope e = (Envelope) FIRST.getOpaque(this);
        if (e == null) {
            return listed;
        }
        while (true) {
            listed.add(e);
            if (e == end) {
                return listed;
            }
            e = e.next;
            if (e == null) {
                return null;
            }
        }
    }

    @Override
    void close() {
        room.lock.lock();
        try {
            Envelope seen = (Envelope) TOP.getAndSet(this, CLOSED);
            if (seen != CLOSED) {
                last = seen == EMPTY ? null : seen;
            }
        } finally {
            room.lock.unlock();
        }
        room.wakeAll();
    }

    @Override
    boolean isClosed() {
        return top == CLOSED;
    }
}
