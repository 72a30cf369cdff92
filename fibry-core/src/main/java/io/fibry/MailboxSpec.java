package io.fibry;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.SequencedCollection;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a mailbox with a limit or an order is like; one that has neither needs none of this. Immutable. */
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

    @SuppressWarnings("unchecked") // what is compared was told to an actor whose messages the comparator is for
    static MailboxSpec ordered(Comparator<?> order, @Nullable MailboxSpec before) {
        return new MailboxSpec(
                before == null ? UNBOUNDED : before.capacity,
                before == null ? Overflow.FAIL : before.overflow,
                (Comparator<Object>) order);
    }

    /**
     * A new place for what waits. In an order it is a tree and not a heap: a tree compares only when something is added, so what
     * the program's comparator throws, the sender gets, and the consumer never does.
     */
    SequencedCollection<WaitingRoom.Place> newQueue() {
        Comparator<Object> by = order;
        return by == null ? new ArrayDeque<>() : new TreeSet<>((a, b) -> compare(by, a, b));
    }

    /** Tasks before messages, which are not what the comparator is for; in the order of their arrival if nothing else decides. */
    private static int compare(Comparator<Object> by, WaitingRoom.Place a, WaitingRoom.Place b) {
        boolean task = a.isTask();
        int first = task || b.isTask()
                ? Boolean.compare(b.isTask(), task)
                : by.compare(a.envelope().message, b.envelope().message);
        return first != 0 ? first : Long.compare(a.number(), b.number());
    }
}
