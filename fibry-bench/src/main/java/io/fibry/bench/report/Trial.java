package io.fibry.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** One question with one peer, which runs once in every round. */
interface Trial {

    /** The parameter whose values are the peers. */
    String PEER = "peer";

    /** Returns the name of the file of the raw results. */
    String file();

    /** Returns the full name of the benchmark. */
    String benchmark();

    /** Returns all parameters, including the peer. */
    SortedMap<String, String> params();

    /** Returns the reason for which this trial can never run, as a sentence; null if it can. */
    @Nullable
    String cannot();

    /** Returns a sentence with the missing programs and their installation, or null if none is missing. */
    default @Nullable String missing() {
        return null;
    }

    /**
     * Runs once, in a separate process.
     *
     * @return a JMH result file: an array of results, each with one fork
     * @throws IOException if the run fails; the message gives the reason
     */
    JsonNode fork() throws IOException, InterruptedException;

    /** Returns the maximum number of useful forks. */
    default int forks() {
        return Integer.MAX_VALUE;
    }

    /** Returns the work of a fork as a fraction of a full pass. */
    default double share() {
        return 1;
    }

    /** Returns the planned duration of a fork; null if it is unknown. */
    default @Nullable Duration expected() {
        return null;
    }

    /**
     * Returns the duration of the measurement, with which a fork ends. Stalls before it, during the start of the
     * program and its warm-up, do not affect the result.
     */
    default Duration measured() {
        return Duration.ofDays(1);
    }

    /**
     * Returns the part of the measurement that stalls of the machine may take without invalidating a fork. A percentile
     * tolerates about as much as the part of the requests beyond it.
     */
    default double toleratedStalls() {
        return 1;
    }

    default String peer() {
        return params().getOrDefault(PEER, "");
    }

    /** Returns the unique id of this trial. */
    default String id() {
        return benchmark() + " " + params();
    }
}
