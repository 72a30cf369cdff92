package io.fibry;

import java.time.Duration;

/**
 * The distribution of measured times of one kind, of one actor or of a whole system: see
 * {@link ActorSystem#latencies()}. Immutable.
 *
 * {@snippet class = "ActorSnippets" region = "latency"}
 */
public interface Latency {

    /** The measured times. */
    enum Kind {
        /**
         * From the send until the handler begins, with the wait for room in a full mailbox. A message that was stashed
         * is measured from the moment it was stashed.
         */
        MAILBOX,
        /** From the begin of the handler until it returns or throws, with all its waits and suspensions. */
        HANDLER,
        /** From an ask until its reply, or until it ends otherwise, for instance by its timeout. */
        ASK
    }

    /** The name of the actor that received the messages; empty for the whole system. */
    String actor();

    Kind kind();

    /** The number of measured times, not of all messages. */
    long count();

    Duration mean();

    Duration max();

    /**
     * Returns the time that this percentage of the measured times does not exceed, at most 12.5 % too high; zero if
     * there are none.
     *
     * @param percent from 0 to 100, for instance 99.9
     * @throws IllegalArgumentException if the percentage is out of range
     */
    Duration percentile(double percent);
}
