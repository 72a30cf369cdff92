package io.fibry.dispatch;

import org.jspecify.annotations.Nullable;

/** The numbers of messages that an {@link ActorThread} has handled. Written only by its own thread. */
abstract class HandledCounts {

    private static final int SOURCES = MessageSource.values().length;

    private long sent;

    /** The messages that were not sent, by {@link MessageSource}. Absent before the first: most workers need none. */
    private long @Nullable [] notSent;

    /** Counts a message of the running actor that was not sent. Sent ones are counted at the end of the turn. */
    public final void count(MessageSource source) {
        long[] counts = notSent;
        if (counts == null) {
            counts = new long[SOURCES];
            notSent = counts;
        }
        counts[source.index]++;
    }

    final void countSent(long messages) {
        sent += messages;
    }

    /** The number of handled messages, without those of inner runners. A hint for other threads. */
    final long handledHere(MessageSource source) {
        if (source == MessageSource.SENT) {
            return sent;
        }
        long[] counts = notSent;
        return counts == null ? 0 : counts[source.index];
    }

    final void resetHandled(MessageSource source) {
        if (source == MessageSource.SENT) {
            sent = 0;
        } else if (notSent != null) {
            notSent[source.index] = 0;
        }
    }
}
