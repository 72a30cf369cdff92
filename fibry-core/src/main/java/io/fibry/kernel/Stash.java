package io.fibry.kernel;

import io.fibry.ActorBuilder;
import io.fibry.MailboxFullException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The messages that a behavior has stashed, oldest first, linked by {@code next}. Modified only by the consumer.
 *
 * <p>The list contains copies of the envelopes. The envelope being handled has to keep its link to the messages behind
 * it: the consumer needs that link after the handler, and other threads follow it.
 *
 * <p><b>A stop that discards fails the stashed asks at once.</b> It reads the list from another thread, under the lock
 * of the lifecycle. Messages leave the list and enter the mailbox in one step under that lock, so the stopper finds
 * each of them in exactly one of the two places. {@link #add} only appends, and takes no lock: a node is complete
 * before it is linked, and {@code size} is written last, with release semantics. The stopper therefore finds every
 * message that it sees counted. It may miss a message that is stashed concurrently. Like any message stashed after the
 * stop, that message becomes a dead letter when the actor ends.
 */
final class Stash {

    /** The limit without {@link ActorBuilder#stashLimit}. */
    static final int DEFAULT_LIMIT = 1_000;

    private final ActorState<?> actor;
    private final int limit;

    /** A sentinel whose {@code next} is the oldest message. */
    private final Envelope head = new Envelope("head of a stash", null);

    /** The newest message, or {@link #head}. */
    private Envelope tail = head;

    /** Written by the consumer. */
    private final AtomicInteger size = new AtomicInteger();

    Stash(ActorState<?> actor, int limit) {
        this.actor = actor;
        this.limit = limit;
    }

    /** Stashes a copy of this message. */
    void add(Envelope envelope) {
        if (envelope.reply == Reply.OF_SIGNAL && !((Signal) envelope.message).isMessage()) {
            throw new IllegalStateException(
                    "only messages can be stashed, not the end of another actor or a receive timeout");
        }
        int before = size.getPlain();
        if (before >= limit) {
            throw new MailboxFullException("actor " + actor.name() + " has stashed " + limit
                    + " messages, which is its limit; raise stashLimit(..), or call unstashAll() earlier");
        }
        Envelope copy = envelope.copy();
        tail.next = copy;
        tail = copy;
        size.setRelease(before + 1);
        if (before == 0) {
            actor.registry().holds(actor);
        }
    }

    boolean isEmpty() {
        return size.getAcquire() == 0;
    }

    /**
     * Moves the oldest messages, up to the given number, into the mailbox, right behind a message in hand.
     *
     * @return the last message moved, or {@code behind} if there is none
     */
    Envelope moveOldest(int count, Envelope behind) {
        Lifecycle lock = actor.lifecycle();
        lock.lock();
        try {
            Envelope first = head.next;
            if (first == null || count == 0) {
                return behind;
            }
            Envelope last = cutAfter(first, count);
            actor.insert(first, last, behind);
            return last;
        } finally {
            lock.unlock();
        }
    }

    /** Moves all messages to the front of the mailbox. Called between turns. */
    void moveAllToFront() {
        Lifecycle lock = actor.lifecycle();
        lock.lock();
        try {
            Envelope first = head.next;
            if (first != null) {
                actor.putFirst(first, cutAfter(first, limit));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes and returns all messages, oldest first. */
    List<Envelope> takeAll() {
        var taken = new ArrayList<Envelope>();
        Lifecycle lock = actor.lifecycle();
        lock.lock();
        try {
            for (Envelope e = isEmpty() ? null : head.next; e != null; e = e.next) {
                taken.add(e);
            }
            head.next = null;
            tail = head;
            size.setRelease(0);
        } finally {
            lock.unlock();
        }
        return taken;
    }

    /** Passes all messages to the action. Called under the lock. */
    void forEach(Consumer<Envelope> action) {
        if (size.getAcquire() > 0) {
            for (Envelope e = head.next; e != null; e = e.next) {
                action.accept(e);
            }
        }
    }

    /** Removes the oldest messages, up to the given number, and returns the last of them. Under the lock. */
    private Envelope cutAfter(Envelope oldest, int count) {
        int before = size.getPlain();
        Envelope last = count >= before ? tail : oldest;
        for (int i = 1; i < count && last != tail; i++) {
            last = Objects.requireNonNull(last.next); // before the tail
        }
        head.next = last.next;
        if (last == tail) {
            tail = head;
        }
        size.setRelease(before - Math.min(count, before));
        if (isEmpty()) {
            actor.registry().forgetIfIdle(actor);
        }
        return last;
    }
}
