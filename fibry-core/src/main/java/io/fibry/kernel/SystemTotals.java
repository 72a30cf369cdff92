package io.fibry.kernel;

import io.fibry.ActorInfo;
import io.fibry.SystemDump;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Computes the totals of a system, and collects the actors with the largest values. Confined to one thread. */
final class SystemTotals {

    /** The maximum length of each list. */
    private static final int WORST = 100;

    /** The number of actors in each state, in an array of length one. */
    private final Map<ActorInfo.State, long[]> states = new EnumMap<>(ActorInfo.State.class);

    private final Worst longest = new Worst();
    private final Worst fullest = new Worst();
    private final Worst restarted = new Worst();
    private long actors;
    private long mailboxes;
    private long failures;
    private long restarts;
    private long longestMillis;
    private long longestHandlerMillis;

    /** Adds an actor. Returns the number of its waiting messages. */
    long add(ActorState<?> actor) {
        actors++;
        states.computeIfAbsent(ActorSnapshot.state(actor), state -> new long[1])[0]++;
        long waiting = actor.progress().waiting();
        mailboxes += waiting;
        fullest.add(actor, waiting);
        failures += ActorSnapshot.failures(actor);
        long restartsOfOne = ActorSnapshot.restarts(actor);
        restarts += restartsOfOne;
        restarted.add(actor, restartsOfOne);
        long millis = ActorSnapshot.runningMillis(actor);
        if (millis >= 0) {
            longestMillis = Math.max(longestMillis, millis);
            longestHandlerMillis = Math.max(longestHandlerMillis, MetricReader.handlerMillis(actor));
            longest.add(actor, millis + 1); // more than zero even if it has just begun
        }
        return waiting;
    }

    SystemDump.Totals totals(long workers, long workersStarted) {
        return new SystemDump.Totals(
                actors,
                count(ActorInfo.State.IDLE),
                count(ActorInfo.State.READY),
                count(ActorInfo.State.RUNNING),
                count(ActorInfo.State.WAITS_FOR_REPLY)
                        + count(ActorInfo.State.WAITS_FOR_ROOM)
                        + count(ActorInfo.State.WAITS_FOR_EXIT)
                        + count(ActorInfo.State.WAITS_FOR_PAUSE),
                count(ActorInfo.State.PAUSED),
                count(ActorInfo.State.STOPPING),
                mailboxes,
                failures,
                restarts,
                Duration.ofMillis(longestMillis),
                workers,
                workersStarted);
    }

    private long count(ActorInfo.State state) {
        long[] number = states.get(state);
        return number == null ? 0 : number[0];
    }

    /** The age of the longest-running handler, without servers. */
    Duration longestHandler() {
        return Duration.ofMillis(longestHandlerMillis);
    }

    List<ActorInfo> longestRunning() {
        return longest.infos();
    }

    List<ActorInfo> fullest() {
        return fullest.infos();
    }

    List<ActorInfo> mostRestarted() {
        return restarted.infos();
    }

    /** The actors with the largest values. */
    private static final class Worst {

        private record Entry(ActorState<?> actor, long value) {}

        private final PriorityQueue<Entry> smallestFirst = new PriorityQueue<>(Comparator.comparingLong(Entry::value));

        void add(ActorState<?> actor, long value) {
            if (value == 0) {
                return;
            }
            if (smallestFirst.size() == WORST) {
                if (smallestFirst.element().value >= value) {
                    return;
                }
                smallestFirst.remove();
            }
            smallestFirst.add(new Entry(actor, value));
        }

        List<ActorInfo> infos() {
            var entries = new ArrayList<>(smallestFirst);
            entries.sort(Comparator.comparingLong(Entry::value).reversed());
            return entries.stream()
                    .map(entry -> ActorSnapshot.info(entry.actor))
                    .toList();
        }
    }
}
