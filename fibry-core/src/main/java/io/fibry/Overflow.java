package io.fibry;

/** The policies for a message to a full {@linkplain ActorBuilder#bounded bounded} mailbox. */
public enum Overflow {
    /**
     * The sender waits for room (backpressure), which costs little on a virtual thread. An ask with a timeout waits no
     * longer than the timeout. An interrupt of the sender ends the wait with {@link ActorInterruptedException}, and a
     * stop of the actor ends it with {@link ActorStoppedException}. If the wait would complete a cycle of actors that
     * wait for each other, the sender receives {@link MailboxFullException} at once; also if the actor sends to itself.
     */
    BLOCK,
    /** The sender receives {@link MailboxFullException}. */
    FAIL,
    /** The new message is dropped. An ask fails with {@link MailboxFullException}. */
    DROP_NEWEST,
    /**
     * The oldest waiting message is dropped to make room. If it was an ask, it fails with {@link MailboxFullException}.
     */
    DROP_OLDEST;

    /** Returns whether a full mailbox drops a message instead of refusing the new one. */
    public boolean drops() {
        return this == DROP_NEWEST || this == DROP_OLDEST;
    }
}
