package io.fibry.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** One peer at one question: what is run once in every round. */
interface Trial {

    /** The parameter whose values are the peers. */
    String PEER = "peer";

    /** The file of the raw results, without folder. */
    String file();

    /** The full name of the benchmark. */
    String benchmark();

    /** All parameters, with the peer. */
    SortedMap<String, String> params();

    /** Why this cannot run at all, as a sentence; null if it can. */
    @Nullable
    String cannot();

    /** What this machine lacks to run it, as a sentence that says how to install it; null if nothing. */
    default @Nullable String missing() {
        return null;
    }

    /**
     * Runs once, in a process of its own.
     *
     * @return a JMH result file: an array of results, each with one fork
     * @throws IOException if the run fails; the message says why
     */
    JsonNode fork() throws IOException, InterruptedException;

    /** The most forks that are of use. */
    default int forks() {
        return Integer.MAX_VALUE;
    }

    /** How much a fork does of what it does in a full pass. */
    default double share() {
        return 1;
    }

    /** How long a fork is planned to take; null if nobody knows. */
    default @Nullable Duration expected() {
        return null;
    }

    default String peer() {
        return params().getOrDefault(PEER, "");
    }

    /** What tells this trial from all others. */
    default String id() {
        return benchmark() + " " + params();
    }
}
