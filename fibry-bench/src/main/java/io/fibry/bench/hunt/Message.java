package io.fibry.bench.hunt;

import io.fibry.ReplyTo;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A message, with the record of its outcomes. */
final class Message {

    /** The state of the call that sends it. */
    enum Sent {
        /** The call of the sender has not returned. */
        BEGUN,
        ACCEPTED,
        /** An exception has refused it. */
        REFUSED,
        /** {@code tryTell} has returned false. */
        NO_ROOM
    }

    final int number;
    final Act act;

    /** The number of the recipient; -1 for a message of a timer or a stage, which the counters exclude. */
    final int to;

    /** The sending strand, or -1. */
    final int strand;

    /** The number of the target actor of the act. */
    final int other;

    final AtomicInteger handled = new AtomicInteger();
    final AtomicInteger dead = new AtomicInteger();
    final AtomicInteger replies = new AtomicInteger();
    volatile Sent sent = Sent.BEGUN;
    volatile @Nullable CompletableFuture<?> ask;
    volatile @Nullable ReplyTo<Object> replyTo;

    /** Whether it was stashed; written by its handlers. */
    boolean stashed;

    Message(int number, Act act, int to, int strand, int other) {
        this.number = number;
        this.act = act;
        this.to = to;
        this.strand = strand;
        this.other = other;
    }

    /** Returns whether the counters include the message. */
    boolean counts() {
        return to >= 0;
    }

    @Override
    public String toString() {
        CompletableFuture<?> a = ask;
        return "message " + number + " (" + act + ") to a" + to + ": " + sent + ", handled " + handled + ", dead "
                + dead
                + (a == null ? "" : ", " + a.state() + (a.isCompletedExceptionally() ? " " + a.exceptionNow() : ""));
    }
}
