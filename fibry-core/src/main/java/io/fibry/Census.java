package io.fibry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Adds up the actors of a system, and keeps the worst ones. By one thread. */
final class Census {

    /** The length of a list of the worst. */
    private static final int WORST = 100;

    /** How many actors are in each state: an array of one number. */
    private final Map<ActorInfo.State, long[]> states = new EnumMap<>(ActorInfo.State.class);

    private final Worst longest = new Worst();
    private final Worst fullest = new Worst();
    private final Worst restarted = new Worst();
    private long actors;
    private long mailboxes;
    private long failures;
    private long restarts;
    private long longestMillis;

    /** Returns how many messages wait for the actor. */
    long add(ActorState<?> actor) {
        actors++;
        states.computeIfAbsent(ActorLook.state(actor), state -> new long[1])[0]++;
        long waiting = actor.progress().waiting();
        mailboxes += waiting;
        fullest.add(actor, waiting);
        failures += ActorLook.failures(actor);
        long restartsOfOne = ActorLook.restarts(actor);
        restarts += restartsOfOne;
        restarted.add(actor, restartsOfOne);
        if (actor.runner() != null) {
            long millis = ActorLook.atWorkFor(actor).toMillis();
            longestMillis = Math.max(longestMillis, millis);
            longest.add(actor, millis + 1); // also if it has just begun
        }
        return waiting;
    }

    SystemDump.Totals totals(long workers, long workersStarted) {
        return new SystemDump.Totals(
                actors,
                count(ActorInfo.State.IDLE),
                count(ActorInfo.State.READY),
                count(ActorInfo.State.AT_WORK),
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

    List<ActorInfo> longestAtWork() {
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
            return entries.stream().map(entry -> ActorLook.info(entry.actor)).toList();
        }
    }
}
