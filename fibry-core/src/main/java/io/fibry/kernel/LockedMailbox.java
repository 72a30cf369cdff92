package io.fibry.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BoundedMailbox} with an order of its own, or one that drops its oldest messages: threads other than the
 * consumer change the order or remove messages. A lock guards its state.
 */
final class LockedMailbox extends BoundedMailbox {

    private final MessageQueue messages; // guarded by the lock, as is the next one
    private boolean awake;
    private volatile boolean closed; // written under the lock

    LockedMailbox(MailboxSpec spec) {
        super(spec);
        messages = spec.order() == null ? new MessageQueue.ByArrival() : new MessageQueue.ByOrder(spec.order());
    }

    @Override
    Outcome tryAdd(Envelope envelope) {
        room.lock.lock();
        try {
            return closed ? Outcome.CLOSED : isFull() ? Outcome.FULL : added(envelope);
        } finally {
            room.lock.unlock();
        }
    }

    @Override
    Outcome tryAddAll(List<Envelope> group, Consumer<Envelope> dropped) {
        List<Envelope> oldest;
        Outcome outcome;
        room.lock.lock();
        try {
            if (closed) {
                return Outcome.CLOSED;
            }
            int excess = group.size() - (room.capacity() - size());
            if (excess > 0 && !spec().alwaysMakesRoom()) {
                return Outcome.FULL;
            }
            oldest = removeOldest(excess);
            addAll(group);
            outcome = added(group.size() - oldest.size());
        } finally {
            room.lock.unlock();
        }
        if (!oldest.isEmpty()) { // no step may need memory before the caller sends the wake-up
            oldest.forEach(dropped);
        }
        return outcome;
    }

    /** Removes messages, but leaves their places to other ones. */
    private List<Envelope> removeOldest(int count) {
        if (count <= 0) {
            return List.of();
        }
        var oldest = new ArrayList<Envelope>(count);
        while (oldest.size() < count) {
            oldest.add(Objects.requireNonNull(messages.poll()));
        }
        return oldest;
    }

    /** If the comparator fails for a message, none is added, and its exception propagates to the sender. */
    private void addAll(List<Envelope> group) {
        int added = 0;
        try {
            for (Envelope envelope : group) {
                messages.add(envelope);
                added++;
            }
        } finally {
            if (added < group.size()) {
                group.subList(0, added).forEach(messages::remove);
            }
        }
    }

    @Override
    boolean addInAnyCase(Envelope envelope) {
        room.lock.lock();
        try {
            return !closed && added(envelope) != Outcome.CLOSED;
        } finally {
            room.lock.unlock();
        }
    }

    private Outcome added(Envelope envelope) {
        messages.add(envelope);
        return added(1);
    }

    /** Takes places for messages that have been added. All places are taken under the lock, so they are free. */
    private Outcome added(int places) {
        room.enterInAnyCase(places);
        boolean wake = !awake;
        awake = true;
        return wake ? Outcome.ACCEPTED_WAKE : Outcome.ACCEPTED;
    }

    @Override
    @Nullable
    Envelope pollNext() {
        room.lock.lock();
        try {
            Envelope next = messages.poll();
            if (next == null) {
                awake = false;
            } else {
                room.leave();
            }
            return next;
        } finally {
            room.lock.unlock();
        }
    }

    @Override
    List<Envelope> fallAsleep() {
        List<Envelope> waiting = new ArrayList<>();
        room.lock.lock();
        try {
            awake = false;
            messages.forEach(waiting::add);
        } finally {
            room.lock.unlock();
        }
        return waiting;
    }

    @Override
    boolean remove(Envelope envelope) {
        room.lock.lock();
        try {
            boolean there = messages.remove(envelope);
            if (there) {
                room.leave();
            }
            return there;
        } finally {
            room.lock.unlock();
        }
    }

    @Override
    @Nullable
    Envelope peek() {
        return messages.peek();
    }

    @Override
    void removeFirst() {
        messages.poll();
        room.leave();
    }

    @Override
    void forEach(Consumer<Envelope> action) {
        room.lock.lock();
        try {
            messages.forEach(action);
        } finally {
            room.lock.unlock();
        }
    }

    @Override
    void close() {
        room.lock.lock();
        try {
            closed = true;
        } finally {
            room.lock.unlock();
        }
        room.wakeAll();
    }

    @Override
    boolean isClosed() {
        return closed;
    }
}
