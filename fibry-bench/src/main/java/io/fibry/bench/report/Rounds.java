package io.fibry.bench.report;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs trials by turns: the first fork of each, peer by peer, then the second of each, and so on. A machine that changes its
 * speed within the hour then changes it for all of them, and neighbours make pairs.
 */
final class Rounds {

    private final List<Trial> trials;
    private final Pace pace;
    private final RunFolder run;
    private final PrintStream out;
    private final List<Trial> left = new ArrayList<>();
    private final Map<String, Duration> durations = new HashMap<>();
    private final long start = System.nanoTime();

    Rounds(List<Trial> trials, Pace pace, RunFolder run, PrintStream out) {
        this.trials = trials;
        this.pace = pace;
        this.run = run;
        this.out = out;
    }

    /** Runs whatever is not done yet. What cannot run, or fails, is noted with its reason, and does not stop the others. */
    void run() throws IOException, InterruptedException {
        for (Trial trial : trials) {
            String cannot = trial.cannot();
            if (cannot == null) {
                left.add(trial);
            } else {
                run.gap(trial, cannot);
            }
        }
        out.printf(
                "%d forks, about %s%n", forksLeft(), Plan.minutes(remaining()).strip());
        for (int round = 1; round <= pace.forks(); round++) {
            for (Trial trial : List.copyOf(left)) {
                if (run.forks(trial) < Math.min(round, trial.forks())) {
                    fork(trial, round);
                }
            }
        }
    }

    private void fork(Trial trial, int round) throws IOException, InterruptedException {
        if (since(start).plus(expected(trial)).compareTo(pace.limit()) > 0) {
            out.println("no time left for " + trial.id());
            giveUp(
                    trial,
                    round,
                    "not run: the time of the pass, " + pace.limit().toMinutes() + " minutes, was over");
            return;
        }
        long began = System.nanoTime();
        out.printf("round %d of %d, %s%n", round, pace.forks(), trial.id());
        try {
            run.add(trial, TimeLimit.fork(trial, pace.forkLimit()));
            durations.put(trial.id(), since(began));
        } catch (IOException e) {
            out.println("  failed: " + e.getMessage());
            giveUp(trial, round, "failed: " + e.getMessage());
        }
        out.printf(
                Locale.ROOT,
                "  %.1f s; %d forks left, about %s%n",
                since(began).toMillis() / 1e3,
                forksLeft(),
                Plan.minutes(remaining()).strip());
    }

    private void giveUp(Trial trial, int round, String why) throws IOException {
        left.removeIf(t -> t.id().equals(trial.id()));
        run.gap(trial, round == 1 ? why : why + " (in fork " + round + ")");
    }

    private long forksLeft() {
        return left.stream().mapToLong(this::forksLeft).sum();
    }

    private int forksLeft(Trial trial) {
        return Math.max(0, Math.min(pace.forks(), trial.forks()) - run.forks(trial));
    }

    private Duration remaining() {
        return left.stream()
                .map(trial -> expected(trial).multipliedBy(forksLeft(trial)))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** How long a fork will take: as long as its last one, or as planned, or as long as the others on average. */
    private Duration expected(Trial trial) {
        Duration known = durations.getOrDefault(trial.id(), trial.expected());
        if (known != null || durations.isEmpty()) {
            return known == null ? Duration.ZERO : known;
        }
        return durations.values().stream().reduce(Duration.ZERO, Duration::plus).dividedBy(durations.size());
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
