package io.fibry;

/** What happens to a message for a {@linkplain ActorBuilder#bounded bounded} mailbox that is full. */
public enum Overflow {
    /**
     * The sender waits for room, an ask with a time limit not longer than that; cheap on a virtual thread. An interrupt ends the wait with {@link ActorInterruptedException},
     * a stop of the actor with {@link ActorStoppedException}. Where it would wait for ever, because the actor with the full
     * mailbox waits in its turn for room in the sender's, or is the sender, it gets {@link MailboxFullException} at once.
     */
    BLOCK,
    /** The sender gets {@link MailboxFullException}. */
    FAIL,
    /** The new message is dropped. An ask fails with {@link MailboxFullException}. */
    DROP_NEWEST,
    /** The message that waits longest is dropped for the new one. If it was an ask, it fails with {@link MailboxFullException}. */
    DROP_OLDEST
}
