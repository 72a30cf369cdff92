package io.fibry;

/** The policies for a message to a full {@linkplain ActorBuilder#bounded bounded} mailbox. */
public enum Overflow {
    /**
     * The sender waits for room: backpressure, cheap on a virtual thread. An ask with a timeout waits no longer than
     * the timeout. An interrupt ends the wait with {@link ActorInterruptedException}, a stop of the actor with
     * {@link ActorStoppedException}. If the wait would be a deadlock, because the full actor waits for room in the
     * sender's mailbox, or is the sender, the sender gets {@link MailboxFullException} at once.
     */
    BLOCK,
    /** The sender gets {@link MailboxFullException}. */
    FAIL,
    /** The new message is dropped. An ask fails with {@link MailboxFullException}. */
    DROP_NEWEST,
    /**
     * The oldest waiting message is dropped to make room. If it was an ask, it fails with {@link MailboxFullException}.
     */
    DROP_OLDEST;

    /** Returns whether a full mailbox accepts messages by dropping some. */
    public boolean drops() {
        return this == DROP_NEWEST || this == DROP_OLDEST;
    }
}
