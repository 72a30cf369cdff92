package io.fibry;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.SequencedCollection;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The options of a mailbox that has a limit or a priority. A mailbox with neither has no spec. Immutable. */
record MailboxSpec(
        int capacity, Overflow overflow, @Nullable Comparator<Object> order) {

    /** For a priority mailbox without a limit. */
    static final int UNBOUNDED = Integer.MAX_VALUE;

    MailboxSpec {
        if (order != null && overflow == Overflow.DROP_OLDEST) {
            throw new IllegalArgumentException(
                    "a priority mailbox cannot drop the oldest message, which may be the most"
                            + " important one; use FAIL, BLOCK or DROP_NEWEST");
        }
    }

    static MailboxSpec bounded(int capacity, Overflow overflow, @Nullable MailboxSpec before) {
        return new MailboxSpec(capacity, overflow, before == null ? null : before.order);
    }

    @SuppressWarnings("unchecked") // the comparator is for the messages of this actor
    static MailboxSpec ordered(Comparator<?> order, @Nullable MailboxSpec before) {
        return new MailboxSpec(
                before == null ? UNBOUNDED : before.capacity,
                before == null ? Overflow.FAIL : before.overflow,
                (Comparator<Object>) order);
    }

    /**
     * A new queue of waiting messages. With a priority it is a tree and not a heap: a tree compares only when a message is added.
     * So an exception of the user's comparator goes to the sender, and never to the consumer.
     */
    SequencedCollection<WaitingRoom.Place> newQueue() {
        Comparator<Object> by = order;
        return by == null ? new ArrayDeque<>() : new TreeSet<>((a, b) -> compare(by, a, b));
    }

    /** Tasks come before messages, since the comparator is for messages only. Ties are in order of arrival. */
    private static int compare(Comparator<Object> by, WaitingRoom.Place a, WaitingRoom.Place b) {
        boolean task = a.isTask();
        int first = task || b.isTask()
                ? Boolean.compare(b.isTask(), task)
                : by.compare(a.envelope().message, b.envelope().message);
        return first != 0 ? first : Long.compare(a.number(), b.number());
    }
}
