package io.fibry.kernel;

import io.fibry.Overflow;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The options of a mailbox with a limit or a priority. Other mailboxes have no spec. Immutable. */
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

    @SuppressWarnings("unchecked") // the comparator accepts the messages of this actor
    static MailboxSpec ordered(Comparator<?> order, @Nullable MailboxSpec before) {
        return new MailboxSpec(
                before == null ? UNBOUNDED : before.capacity,
                before == null ? Overflow.FAIL : before.overflow,
                (Comparator<Object>) order);
    }

    /** Whether a sender may have to wait for room. */
    boolean blocksSenders() {
        return overflow == Overflow.BLOCK;
    }

    /** Whether each message is added, in place of the oldest one if necessary. */
    boolean alwaysMakesRoom() {
        return overflow == Overflow.DROP_OLDEST;
    }
}
