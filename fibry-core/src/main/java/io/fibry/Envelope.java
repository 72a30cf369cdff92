package io.fibry;

import org.jspecify.annotations.Nullable;

/**
 * A message in a mailbox. It is the mailbox's own node, so that a {@code tell} allocates this and nothing else.
 */
final class Envelope {

    /** Written by the sender before the envelope is published, afterwards by the consumer alone. */
    @Nullable
    Envelope next;

    final Object message;

    /**
     * Where the answer goes; null for a {@code tell}, {@link Reply#OF_TASK} when the message is code to run,
     * {@link Reply#OF_SIGNAL} when it is a {@link Signal}.
     */
    final @Nullable Reply<?> reply;

    Envelope(Object message, @Nullable Reply<?> reply) {
        this.message = message;
        this.reply = reply;
    }

    /** Whether somebody waits for an answer. */
    boolean isAsk() {
        Reply<?> r = reply;
        return r != null && r != Reply.OF_TASK && r != Reply.OF_SIGNAL;
    }

    /** Whether it is an ask that has been answered by somebody else, for instance by the end of its time. */
    boolean isGivenUp() {
        Reply<?> r = reply;
        return r != null && r.isDone();
    }
}
