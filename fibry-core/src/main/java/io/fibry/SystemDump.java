package io.fibry;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A snapshot of an actor system: {@link ActorSystem#dump}. The actors are not stopped for it, so a number may be of a slightly
 * different moment than another.
 *
 * @param system the name of the system
 * @param time when it was taken
 * @param tracked whether all actors are counted. If not, idle actors are left out that hold nothing: no name, parent, child, hook,
 *     timer or thread. See {@link SystemOptions#tracking}
 * @param totals sums of all known actors
 * @param counters what happened to the messages
 * @param longestAtWork the actors whose messages have been at work for longest, at most 100, with their stacks
 * @param fullest the actors with the most messages in their mailboxes, at most 100
 * @param mostRestarted the actors with the most restarts, at most 100
 */
public record SystemDump(
        String system,
        Instant time,
        boolean tracked,
        Totals totals,
        Counters counters,
        List<ActorInfo> longestAtWork,
        List<ActorInfo> fullest,
        List<ActorInfo> mostRestarted) {

    /**
     * Sums of the known actors of a system.
     *
     * @param actors how many there are: the sum of the next six
     * @param idle how many have no message
     * @param ready how many have messages, and will get a thread
     * @param atWork how many handle a message
     * @param waiting how many wait inside their handlers for another actor
     * @param paused how many wait for their restart
     * @param stopping how many have been stopped and handle no message
     * @param mailboxSizes how many messages wait in their mailboxes
     * @param failures how many times their behaviors have thrown
     * @param restarts how many times they were restarted
     * @param longestAtWork how long the message has been at work that has been for longest
     * @param workers how many virtual threads of the system run actors now
     * @param workersStarted how many the system has started
     */
    public record Totals(
            long actors,
            long idle,
            long ready,
            long atWork,
            long waiting,
            long paused,
            long stopping,
            long mailboxSizes,
            long failures,
            long restarts,
            Duration longestAtWork,
            long workers,
            long workersStarted) {}

    public SystemDump {
        longestAtWork = List.copyOf(longestAtWork);
        fullest = List.copyOf(fullest);
        mostRestarted = List.copyOf(mostRestarted);
    }

    /** The dump as a text for people. */
    @Override
    public String toString() {
        return DumpText.of(this);
    }

    /** A JSON object with the components of this record. Durations are in seconds. */
    public String toJson() {
        return DumpJson.of(this);
    }
}
