package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.dispatch.Control;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The waiting messages of a mailbox with a limit or a priority. The actor's {@link Mailbox} carries only wake-ups.
 *
 * <p><b>No message is missed.</b> Invariant: while there is a message, a wake-up is pending, or the consumer has yet to
 * poll this queue again. A sender that adds a message while {@code awake} is clear sets it, and then sends a wake-up.
 * The consumer clears it when it finds the queue empty; the check and the change are under one lock. If a message is
 * added before that, the poll finds it. If a message is added after that, its sender finds {@code awake} clear and
 * sends a wake-up.
 *
 * <p><b>No message is accepted after the close.</b> The close is under the same lock, and comes before the close of the
 * {@link Mailbox}. If the closed {@code Mailbox} then refuses a wake-up, nothing is lost: its consumer polls this queue
 * anyway.
 *
 * <p><b>Senders that wait for room</b> are notified by the consumer, under the lock, after it has taken a message. A
 * thread that is woken checks again under the lock, and waits again if another one has taken the room. See
 * {@link WaitingSenders}. Then the consumer completes futures, as {@link RoomFutures} describes; a mailbox that is not
 * full has none.
 *
 * <p><b>A consumer that holds the mailbox</b> leaves its messages there; see {@link Holding#hold}. It releases the
 * mailbox in a turn, and polls it in the same turn or in the next one, which follows at once. That is the poll of the
 * invariant above, so a release needs no wake-up. Meanwhile other threads may take messages; see {@link Holding#take}.
 * They leave {@code awake} as it is, since the poll after the release is still to come.
 */
final class BoundedMailbox {

    /** The result of adding a message. */
    enum Outcome {
        ACCEPTED,
        /** Accepted, and the caller has to send a wake-up to the mailbox. */
        ACCEPTED_WAKE,
        FULL,
        CLOSED
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final MailboxSpec spec;

    private final MessageQueue messages; // guarded by the lock, as are the next three
    private @Nullable WaitingSenders senders; // created by the first thread that waits for room
    private volatile @Nullable RoomFutures futures; // created under the lock for the first future
    private boolean awake;
    private volatile boolean closed;

    /** Written under the lock, read by any thread. */
    private volatile int size;

    private int signals; // guarded by the lock: how often all senders have been woken, for threads under a control
    private volatile @Nullable MailboxHold hold; // created by the first hold; consumer only

    BoundedMailbox(MailboxSpec spec) {
        this.spec = spec;
        messages = spec.newQueue();
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

    /** Adds all messages, with no other message in between, if there is room for all; else none. */
    Outcome tryAddAll(List<Envelope> group) {
        lock.lock();
        try {
            if (closed) {
                return Outcome.CLOSED;
            }
            return group.size() > spec.capacity() - size ? Outcome.FULL : addedAll(group);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #tryAddAll}, but removes the oldest messages to make room. Calls {@code dropped} outside the lock. */
    Outcome addAllDroppingOldest(List<Envelope> group, Consumer<Envelope> dropped) {
        List<Envelope> oldest = List.of();
        Outcome outcome;
        lock.lock();
        try {
            if (closed) {
                return Outcome.CLOSED;
            }
            int excess = group.size() - (spec.capacity() - size);
            if (excess > 0) {
                oldest = new ArrayList<>(excess);
            }
            for (; excess > 0; excess--) {
                oldest.add(Objects.requireNonNull(messages.poll()));
            }
            outcome = addedAll(group);
        } finally {
            lock.unlock();
        }
        if (!oldest.isEmpty()) { // no step may need memory before the caller sends the wake-up
            oldest.forEach(dropped);
        }
        return outcome;
    }

    /** If the comparator fails for a message, none is added, and its exception propagates to the sender. */
    private Outcome addedAll(List<Envelope> group) {
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
        return counted();
    }

    /** Adds a message regardless of the limit. Returns false if closed; otherwise the caller has to send a wake-up. */
    boolean addInAnyCase(Envelope envelope) {
        return locked(() -> !closed && added(envelope) != Outcome.CLOSED);
    }

    /** The callbacks of a sender before each wait for room and after the last one, both under the mailbox's lock. */
    interface Waiter {
        /** An exception ends the wait. */
        void begins();

        void ends();
    }

    /** Adds a message, after a wait if there is no room. Returns FULL if its ask has ended. */
    Outcome addOrWait(Envelope envelope, Waiter wait) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            awaitRoom(envelope, wait);
            if (envelope.isGivenUp()) {
                if (senders != null) {
                    senders.signalNext(); // this sender may have consumed the signal for another one
                }
                return Outcome.FULL;
            }
            return closed ? Outcome.CLOSED : added(envelope);
        } finally {
            lock.unlock();
        }
    }

    private void awaitRoom(Envelope envelope, Waiter wait) throws InterruptedException {
        try {
            while (isFull() && !closed && !envelope.isGivenUp()) {
                wait.begins();
                awaitSignal(envelope);
            }
        } finally {
            wait.ends();
        }
    }

    private void awaitSignal(Envelope envelope) throws InterruptedException {
        Control control = Control.ofCurrentThread();
        if (control == null) {
            if (senders == null) {
                senders = new WaitingSenders(lock, spec.capacity());
            }
            senders.await();
            return;
        }
        int seen = signals;
        control.awaitUnlocked(
                lock, () -> signals != seen || !isFull() || closed || envelope.isGivenUp(), "room in a full mailbox");
    }

    /** Wakes the senders that wait for room, so that they check their condition again. */
    void lookAgain() {
        locked(this::wakeAll);
    }

    /** Returns a future for {@link Actor#whenWritable}; null if the mailbox has been closed. */
    @Nullable
    CompletableFuture<@Nullable Void> awaitRoom() {
        return locked(() -> {
            if (closed) {
                return null;
            }
            if (!isFull() || spec.overflow().drops()) {
                return CompletableFuture.completedFuture(null);
            }
            RoomFutures f = futures != null ? futures : new RoomFutures(lock, () -> !isFull() && !closed);
            futures = f;
            return f.add();
        });
    }

    /** Null if none has been requested. The consumer reads it after it has held the lock, so it misses none. */
    @Nullable
    RoomFutures futures() {
        return futures;
    }

    /** The next message. If null, the mailbox is held, or the next message to arrive sends a wake-up. Consumer only. */
    @Nullable
    Envelope poll() {
        if (isHeld()) {
            return null;
        }
        Envelope next;
        lock.lock();
        try {
            next = messages.poll();
            if (next == null) {
                awake = false;
            } else {
                removed();
            }
        } finally {
            lock.unlock();
        }
        RoomFutures.passRoomOn(futures);
        return next;
    }

    /** Leaves the messages here until {@link #release}. Consumer only. */
    void hold() {
        MailboxHold h = hold;
        if (h == null) {
            h = new MailboxHold();
            hold = h;
            lookAgain(); // descendants must not wait from now on
        }
        h.begin();
    }

    /**
     * Takes the next message on behalf of the consumer. Returns null if the consumer does not hold the mailbox, or if
     * only the consumer can handle the next message: an ask, code, or a message with instrumentation. The caller has to
     * call {@link RoomFutures#passRoomOn} afterwards. Any thread.
     */
    @Nullable
    Object takeHeld() {
        lock.lock();
        try {
            // read under the lock: a consumer that has released the mailbox since then polls after this message
            MailboxHold h = hold;
            Envelope next = h != null && h.isOn() ? messages.peek() : null;
            if (h == null || next == null || next.reply != null || next instanceof InstrumentedEnvelope) {
                return null;
            }
            messages.poll();
            h.countTaken();
            removed();
            return next.message;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a hold. Returns whether the mailbox was held. Consumer only, before it polls again. */
    boolean release() {
        MailboxHold h = hold;
        return h != null && h.end();
    }

    boolean isHeld() {
        MailboxHold h = hold;
        return h != null && h.isOn();
    }

    /** Null if the consumer has never held the mailbox. */
    @Nullable
    MailboxHold holdIfAny() {
        return hold;
    }

    /** Removes the first matching message; null if none. The next message to arrive sends a wake-up. Consumer only. */
    @Nullable
    Envelope poll(Predicate<Envelope> wanted) {
        List<Envelope> waiting = new ArrayList<>();
        locked(() -> {
            awake = false;
            messages.forEach(waiting::add);
            return true;
        });
        for (Envelope envelope : waiting) { // without the lock: the predicate is user code
            if (wanted.test(envelope) && remove(envelope)) {
                return envelope;
            }
        }
        return null;
    }

    private boolean remove(Envelope envelope) {
        boolean there = locked(() -> {
            boolean wasThere = messages.remove(envelope);
            removed();
            return wasThere;
        });
        RoomFutures.passRoomOn(futures);
        return there;
    }

    /** Passes all waiting messages to the action, under the lock. */
    void forEach(Consumer<Envelope> action) {
        locked(() -> {
            messages.forEach(action);
            return true;
        });
    }

    /** Closes the mailbox: refuses further messages, and wakes the senders that wait for room. */
    void close() {
        locked(() -> {
            closed = true;
            return wakeAll();
        });
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    /** The number of accepted messages whose handling has not begun. */
    int size() {
        return size;
    }

    boolean isFull() {
        return size >= spec.capacity();
    }

    /** Whether senders wait here. */
    boolean holdsSenders() {
        return isFull() && !closed;
    }

    MailboxSpec spec() {
        return spec;
    }

    /** Called after the removal of a message. Under the lock. */
    private void removed() {
        size = messages.size();
        if (senders != null) {
            senders.messageTaken(size);
        }
    }

    private boolean wakeAll() {
        signals++;
        if (senders != null) {
            senders.signalAll();
        }
        return true;
    }

    private Outcome added(Envelope envelope) {
        messages.add(envelope);
        return counted();
    }

    /** Called after messages have been added. */
    private Outcome counted() {
        size = messages.size();
        boolean wake = !awake;
        awake = true;
        return wake ? Outcome.ACCEPTED_WAKE : Outcome.ACCEPTED;
    }
}
