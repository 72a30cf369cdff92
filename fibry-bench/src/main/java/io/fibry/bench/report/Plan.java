package io.fibry.bench.report;

import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;

/**
 * How often a full pass asks each question, and how long that takes on a machine with two cores. The peers of a goal get all
 * forks, the others two or one, so that the pass ends within an hour.
 */
final class Plan {

    private static final int ALL = Integer.MAX_VALUE;
    private static final int TWO = 2; // for those without a goal
    private static final int ONE = 1; // where a fork takes long

    /** Seconds of a fork, seen on two cores; the last row is for what JMH measures in five iterations. */
    private static final List<Row> ROWS = List.of(
            new Row("NetLoad.tcp .*", TWO, 6),
            new Row("NetLoad.tcp_warm.*", ONE, 10),
            new Row("NetLoad.http.*", TWO, 15.5),
            new Row("BlockedPoolsBenchmark.*(_64|_IO)}", ONE, 158),
            new Row("BlockedPoolsBenchmark.*", ONE, 52),
            new Row("BlockedMillionBenchmark.*", TWO, 15),
            new Row("BlockedBenchmark.*", TWO, 3),
            new Row("CoroutinesBenchmark.sleep.*(UNCONFINED|FIBRY_ACTOR).*", ONE, 22),
            new Row("CoroutinesBenchmark.sleep.*DEFAULT.*", TWO, 12),
            new Row("CoroutinesBenchmark.*", TWO, 2),
            new Row("OverloadBenchmark.*", TWO, 7.5),
            new Row("SkynetBenchmark.*", TWO, 8),
            new Row("CreateBenchmark.*FIBRY.*", TWO, 8),
            new Row("CreateBenchmark.*", ONE, 20),
            new Row("LiveActorsBenchmark.*live=1000000, peer=FIBRY}", TWO, 4),
            new Row("LiveActorsBenchmark.*PLAIN_OBJECTS}", TWO, 2.8),
            new Row("LiveActorsBenchmark.*live=1000000.*", ONE, 9),
            new Row("LiveActorsBenchmark.*InOrder.*", ONE, 2.8),
            new Row("LiveActorsBenchmark.*", TWO, 2.8),
            new Row("RequestReplyBenchmark.*(THREADS|PEKKO|EXECUTOR)}", TWO, 6),
            new Row(".*", TWO, 2.8));

    private Plan() {}

    /**
     * What is planned for some trials.
     *
     * @param trials a regular expression for class, method and parameters
     * @param forks the most forks that are of use
     * @param seconds what a fork takes
     */
    private record Row(String trials, int forks, double seconds) {}

    /** The most forks of a trial. */
    static int forks(Trial trial) {
        String slug = question(trial).slug();
        return Goals.ALL.stream().anyMatch(goal -> goal.needs(slug, trial.peer()))
                ? ALL
                : row(trial).forks();
    }

    /** How long a fork of a full pass takes. */
    static Duration fork(Trial trial) {
        return Duration.ofMillis(Math.round(1e3 * row(trial).seconds()));
    }

    private static Row row(Trial trial) {
        String text = question(trial).name() + " " + trial.params();
        return ROWS.stream()
                .filter(row -> text.matches(row.trials()))
                .findFirst()
                .orElseThrow();
    }

    private static Question question(Trial trial) {
        return Question.of(trial.benchmark(), trial.params(), "");
    }

    /** How long all of them take, with so many rounds. */
    static Duration total(List<Trial> trials, int rounds) {
        return trials.stream()
                .map(trial -> fork(trial).multipliedBy(Math.min(rounds, trial.forks())))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** Prints a line for each benchmark, and the sum. */
    static void print(List<Trial> trials, int rounds, PrintStream out) {
        var byBenchmark = new LinkedHashMap<String, List<Trial>>();
        for (Trial trial : trials) {
            byBenchmark
                    .computeIfAbsent(question(trial).name(), name -> new java.util.ArrayList<>())
                    .add(trial);
        }
        byBenchmark.forEach((name, of) -> out.printf(
                Locale.ROOT,
                "%s  %-45s %3d forks%n",
                minutes(total(of, rounds)),
                name,
                of.stream().mapToInt(trial -> Math.min(rounds, trial.forks())).sum()));
        out.println(minutes(total(trials, rounds)) + "  in all, on two cores");
    }

    static String minutes(Duration time) {
        return "%2d:%02d min".formatted(time.toMinutes(), time.toSecondsPart());
    }
}
