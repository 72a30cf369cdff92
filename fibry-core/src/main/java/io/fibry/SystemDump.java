package io.fibry;

import io.fibry.kernel.DumpJson;
import io.fibry.kernel.DumpText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A snapshot of an actor system: {@link ActorSystem#dump}. The actors keep running, so the numbers may be from slightly
 * different moments.
 *
 * @param system the name of the system
 * @param time when it was taken
 * @param tracked whether all actors are counted. If not, idle actors that hold no resource are omitted: see
 *     {@link ActorSystem#dump} and {@link SystemOptions#tracking}
 * @param totals sums of all known actors
 * @param counters the numbers of messages by outcome
 * @param longestRunning the actors that have been handling one message for the longest time, at most 100, with their
 *     stacks
 * @param fullest the actors with the most messages in their mailboxes, at most 100
 * @param mostRestarted the actors with the most restarts, at most 100
 */
public record SystemDump(
        String system,
        Instant time,
        boolean tracked,
        Totals totals,
        SystemStats counters,
        List<ActorInfo> longestRunning,
        List<ActorInfo> fullest,
        List<ActorInfo> mostRestarted) {

    /**
     * Sums of the known actors of a system.
     *
     * @param actors the number of actors: the sum of the next six
     * @param idle actors without a message
     * @param ready actors that have messages, and wait for a thread
     * @param running actors that handle a message
     * @param waiting actors whose handlers wait for another actor
     * @param paused actors that wait for a restart, a supervisor or a predecessor: {@link ActorInfo.State#PAUSED}
     * @param stopping actors that have been stopped and are not handling a message
     * @param mailboxSizes the number of waiting messages in the mailboxes of these actors
     * @param failures the number of exceptions thrown by the behaviors of these actors
     * @param restarts the number of restarts
     * @param longestRunning the age of the longest-running handler
     * @param workers the number of virtual threads of the system that currently run actors
     * @param workersStarted the number of virtual threads that the system has started
     */
    public record Totals(
            long actors,
            long idle,
            long ready,
            long running,
            long waiting,
            long paused,
            long stopping,
            long mailboxSizes,
            long failures,
            long restarts,
            Duration longestRunning,
            long workers,
            long workersStarted) {}

    public SystemDump {
        longestRunning = List.copyOf(longestRunning);
        fullest = List.copyOf(fullest);
        mostRestarted = List.copyOf(mostRestarted);
    }

    /** Returns the dump as readable text. */
    @Override
    public String toString() {
        return DumpText.of(this);
    }

    /** Returns a JSON object with the components of this record. Durations are in seconds. */
    public String toJson() {
        return DumpJson.of(this);
    }
}
