package io.fibry.kernel;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message in a mailbox, which is also its node in the mailbox, so that a {@code tell} allocates nothing else; or a
 * {@link MessageSegment} with many messages.
 * {@link InstrumentedEnvelope} adds fields for instrumentation.
 */
class Envelope {

    /**
     * Written by the sender before the envelope is published; afterwards by the consumer, or by the thread that closes
     * the mailbox.
     */
    @Nullable
    Envelope next;

    final Object message;

    /**
     * The reply of an ask; null for a {@code tell}, {@link Reply#OF_TASK} if the message is code to run,
     * {@link Reply#OF_SIGNAL} if it is a {@link Signal}, {@link Reply#OF_SEGMENT} in a {@link MessageSegment}.
     */
    final @Nullable Reply<?> reply;

    Envelope(Object message, @Nullable Reply<?> reply) {
        this.message = message;
        this.reply = reply;
    }

    /** Links messages, given oldest first, as a stack. Returns the newest one. */
    static Envelope linked(List<Envelope> group) {
        Envelope newest = group.getFirst();
        for (Envelope envelope : group.subList(1, group.size())) {
            envelope.next = newest;
            newest = envelope;
        }
        return newest;
    }

    /** Reverses a stack that has been taken, and seals its segments. Returns the oldest node. */
    static Envelope reversed(Envelope newestFirst) {
        newestFirst.seal();
        Envelope oldestFirst = newestFirst;
        Envelope e = newestFirst.next;
        if (e != null) {
            newestFirst.next = null;
        }
        while (e != null) {
            e.seal();
            Envelope older = e.next;
            e.next = oldestFirst;
            oldestFirst = e;
            e = older;
        }
        return oldestFirst;
    }

    /** Prevents senders from adding messages to a segment. */
    void seal() {}

    /** Returns a second envelope of the same message, to be linked elsewhere. */
    Envelope copy() {
        return new Envelope(message, reply);
    }

    /** Whether the handler of this message is suspended. */
    boolean isSuspended() {
        return false;
    }

    /** The wait of the suspended handler, while no thread runs it; null if there is none, or it is unknown. */
    WaitGraph.@Nullable Edge suspendedWait() {
        return null;
    }

    /** Whether this is the envelope of a {@code tell} without instrumentation. Another one can replace it. */
    final boolean isPlain() {
        return reply == null && getClass() == Envelope.class;
    }

    /** Whether this is an ask. */
    public final boolean isAsk() {
        return isReached() && reply != Reply.OF_SEGMENT;
    }

    /** Whether the consumer calls {@link Mailbox#reach} before it begins this node: an ask or a segment. */
    final boolean isReached() {
        Reply<?> r = reply;
        return r != null && r != Reply.OF_TASK && r != Reply.OF_SIGNAL;
    }

    /** Whether this is an ask with a timeout. */
    final boolean hasTimeout() {
        return isAsk() && Objects.requireNonNull(reply).hasTimeout();
    }

    /** Whether this is an ask that has completed already, for instance by its timeout. */
    final boolean isGivenUp() {
        Reply<?> r = reply;
        return r != null && r.isDone();
    }
}
