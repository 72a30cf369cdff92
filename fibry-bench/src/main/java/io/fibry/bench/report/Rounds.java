package io.fibry.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Runs trials in rounds: the first fork of each trial, peer by peer, then the second fork of each in reverse order, and
 * so on. A change in the speed of the machine therefore affects all trials, neighbors form pairs, and no peer is always
 * first. A fork is repeated if the machine has stalled for longer than the trial tolerates.
 */
final class Rounds {

    /** The maximum number of attempts at one fork without a stall. */
    private static final int ATTEMPTS = 3;

    private final List<Trial> trials;
    private final Pace pace;
    private final RunFolder run;
    private final PrintStream out;
    private final Supplier<ClockWatch> watches;
    private final DoubleSupplier roundTrip;
    private final List<Trial> left = new ArrayList<>();
    private final Map<String, Duration> durations = new HashMap<>();
    private final long start = System.nanoTime();

    Rounds(List<Trial> trials, Pace pace, RunFolder run, PrintStream out) {
        this(trials, pace, run, out, ClockWatch::start, CacheLine::roundTrip);
    }

    Rounds(
            List<Trial> trials,
            Pace pace,
            RunFolder run,
            PrintStream out,
            Supplier<ClockWatch> watches,
            DoubleSupplier roundTrip) {
        this.trials = trials;
        this.pace = pace;
        this.run = run;
        this.out = out;
        this.watches = watches;
        this.roundTrip = roundTrip;
    }

    /**
     * Runs all remaining forks. A trial that cannot run, or fails, is recorded with its reason, and does not stop the
     * others.
     */
    void run() throws IOException, InterruptedException {
        for (Trial trial : trials) {
            String cannot = trial.cannot();
            if (cannot == null) {
                left.add(trial);
            } else {
                run.gap(trial, cannot);
            }
        }
        printGaps();
        out.printf(
                "%d forks, about %s%n", forksLeft(), Plan.minutes(remaining()).strip());
        for (int round = 1; round <= pace.forks(); round++) {
            List<Trial> turns = List.copyOf(left);
            for (Trial trial : round % 2 == 0 ? turns.reversed() : turns) {
                if (run.forks(trial) < Math.min(round, trial.forks())) {
                    fork(trial, round);
                }
            }
        }
        for (Trial trial : left) {
            int wanted = Math.min(pace.forks(), trial.forks());
            if (2 * run.forks(trial) < wanted) {
                run.withdraw(
                        trial,
                        "the machine stalled in all but %d of %d forks, also when they were repeated"
                                .formatted(run.forks(trial), wanted));
            }
        }
    }

    /** Prints a line for each gap that an installation would close; the other gaps are in the report. */
    private void printGaps() {
        var gaps = new LinkedHashMap<String, List<String>>();
        for (Trial trial : trials) {
            String cannot = trial.cannot();
            if (cannot != null && cannot.equals(trial.missing())) {
                gaps.computeIfAbsent(cannot, why -> new ArrayList<>()).add(trial.id());
            }
        }
        gaps.forEach((why, lost) -> {
            out.println(why);
            lost.forEach(id -> out.println("  not measured without it: " + id));
        });
    }

    private void fork(Trial trial, int round) throws IOException, InterruptedException {
        Duration rest = pace.limit().minus(since(start));
        if (expected(trial).compareTo(rest) > 0) {
            out.println("no time left for " + trial.id());
            giveUp(trial, round, timeIsOver());
            return;
        }
        long began = System.nanoTime();
        out.printf("round %d of %d, %s%n", round, pace.forks(), trial.id());
        try {
            forkWithoutStall(trial);
            durations.put(trial.id(), since(began));
        } catch (IOException e) {
            boolean over = since(start).compareTo(pace.limit()) >= 0; // it was cut off, and may be quite well
            String why = over ? timeIsOver() : "failed: " + e.getMessage();
            out.println("  " + why);
            giveUp(trial, round, why);
        }
        out.printf(
                Locale.ROOT,
                "  %.1f s; %d forks left, about %s%n",
                since(began).toMillis() / 1e3,
                forksLeft(),
                Plan.minutes(remaining()).strip());
    }

    /** Adds the first result of up to {@link #ATTEMPTS} during which the machine has not stalled for too long. */
    private void forkWithoutStall(Trial trial) throws IOException, InterruptedException {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            Duration rest = pace.limit().minus(since(start));
            double before = roundTrip.getAsDouble();
            ClockWatch watch = watches.get();
            String stall;
            JsonNode result;
            try {
                result = TimeLimit.fork(trial, rest.compareTo(pace.forkLimit()) < 0 ? rest : pace.forkLimit());
            } finally {
                stall = watch.end(trial.measured(), trial.toleratedStalls());
            }
            if (stall.isEmpty()) {
                RawResults.putRoundTrip(result, CacheLine.during(before, roundTrip.getAsDouble()));
                run.add(trial, result);
                return;
            }
            out.println("  discarded: " + stall);
            run.discarded(trial);
        }
    }

    private String timeIsOver() {
        return "not run: the time of the pass, " + pace.limit().toMinutes() + " minutes, was over";
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

    /**
     * Returns the expected duration of a fork: the duration of its last fork, the planned duration, or the average of
     * the others.
     */
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
