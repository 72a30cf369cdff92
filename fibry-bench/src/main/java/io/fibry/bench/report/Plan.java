package io.fibry.bench.report;

import io.fibry.bench.shapes.ShapeBenchmark;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The number of forks per question in a full pass, the questions that a quick pass omits, and their expected durations
 * on a machine with two cores. In a full pass, the peers of a goal get all forks, and the others one or two, so that
 * the pass ends within about an hour. In a quick pass, the questions of the goals come first.
 */
final class Plan {

    private static final int ALL = Integer.MAX_VALUE;
    private static final int TWO = 2; // for peers without a goal
    private static final int ONE = 1; // if a fork takes long

    /** The seconds of a fork, measured on two cores; the last row applies to benchmarks with five iterations. */
    private static final List<Row> ROWS = List.of(
            new Row("Latency\\.ticks.*", ALL, 17),
            new Row("Latency\\..*", ALL, 11.8),
            new Row("Savina.*", ALL, 8),
            new Row("Durability.recovery.*", ALL, 16),
            new Row("Durability.projection.*", ALL, 25),
            new Row("Durability.reminders .*=H2,.*", ALL, 15),
            new Row("Durability.reminders.*", ALL, 33),
            new Row("Durability.*", ALL, 11),
            new Row("EntitiesBenchmark.*keys=1000000.*", ALL, 14),
            new Row("EntitiesBenchmark.*", ALL, 8),
            new Row("SlowEntitiesBenchmark.*", ALL, 11),
            new Row("TopicBenchmark.*(FIBRY|PLAIN|GO), .*", ALL, 6),
            new Row("TopicBenchmark.*PEKKO.*=100000}", ALL, 9),
            new Row("TopicBenchmark.*", TWO, 8),
            new Row("SleepersBenchmark.*", ALL, 6),
            new Row("ShortLivesBenchmark.*PEKKO}", TWO, 7),
            new Row("WorkerPoolBenchmark.*=25000}", ALL, 9.5),
            new Row("((Short)?MapReduce|WorkerPool|KeyedPool)Benchmark.*", ALL, 5.5),
            new Row("(Batcher|Generator|Pipeline|ShortLives(FromActor)?)Benchmark.*", ALL, 4.5),
            new Row("NetLoad.tcp .*(THREADS|PEKKO)}", ONE, 10),
            new Row("NetLoad.tcp .*", ONE, 6),
            new Row("NetLoad.tcp_warm.*", ONE, 10),
            new Row("NetLoad.tcp_kept .*", ONE, 4.5),
            new Row("NetLoad.tcp_kept_warm.*", ONE, 7),
            new Row("NetLoad.http.*", ONE, 15.5),
            new Row("BlockedPoolsBenchmark.*(_64|_IO)}", ONE, 158),
            new Row("BlockedPoolsBenchmark.*", ONE, 52),
            new Row("BlockedMillionBenchmark.*DELAY}", ONE, 8),
            new Row("BlockedMillionBenchmark.*(JOX|2_4_1)}", ONE, 55),
            new Row("BlockedMillionBenchmark.*=(FIBRY|BARE_VIRTUAL_THREADS)}", TWO, 12),
            new Row("BlockedMillionBenchmark.*", ONE, 20),
            new Row("BlockedBenchmark.*CACHED_POOL}", ONE, 8),
            new Row("BlockedBenchmark.*", ONE, 3),
            new Row("CoroutinesBenchmark.sleep.*(UNCONFINED|FIBRY_ACTOR).*", ONE, 22),
            new Row("CoroutinesBenchmark.sleep.*DEFAULT.*", ONE, 12),
            new Row("CoroutinesBenchmark.*", ONE, 2),
            new Row("OverloadBenchmark.*(BOUNDED|PEKKO|KOTLIN|EXECUTOR).*", ONE, 7.5),
            new Row("OverloadBenchmark.*", ONE, 14),
            new Row("SkynetBenchmark.*PEKKO}", ONE, 40),
            new Row("SkynetBenchmark.*(2_4_1|JOX)}", ONE, 17),
            new Row("SkynetBenchmark.*", ONE, 10),
            new Row("CreateFewBenchmark.*THREADS}", ONE, 15),
            new Row("CreateManyBenchmark.*", ONE, 10),
            new Row("CreateBenchmark.*FIBRY.*", TWO, 8),
            new Row("CreateBenchmark.*", ONE, 20),
            new Row("AmongLiveActorsBenchmark.*live=1000000.*", TWO, 4),
            new Row("LiveActorsBenchmark.*live=1000000, peer=FIBRY}", TWO, 5),
            new Row("LiveActorsBenchmark.*PLAIN_OBJECTS}", ONE, 2.8),
            new Row("LiveActorsBenchmark.*live=1000000.*", ONE, 9),
            new Row("LiveActorsBenchmark.ask.*(PEKKO|EXECUTOR)}", ONE, 11),
            new Row("LiveActorsBenchmark.*", ONE, 2.8),
            new Row("RequestReplyBenchmark.fromPlatformThread.*(FIBRY|VIRTUAL_THREADS)}", TWO, 4.5),
            new Row("RequestReplyBenchmark.fromPlatformThread.*", ONE, 10),
            new Row("RequestReplyBenchmark.*(FIBRY_THREADS|EXECUTOR)}", ONE, 6),
            new Row("RequestReplyBenchmark.*PEKKO}", ONE, 8),
            new Row("(PingPong|Ring)Benchmark.*FIBRY_THREADS}", ONE, 6),
            new Row(".*PEKKO}", ONE, 5.5),
            new Row(".*VERTX}", ONE, 2.8),
            new Row("(CreateFew|Execute|NamedTell)Benchmark.*|TellBenchmark.(two|fourToFour).*", ONE, 2.8),
            new Row(".*", TWO, 2.8));

    /** The seconds of an empty fork, which starts a JVM. */
    private static final double START = 0.8;

    /** The slowest or least informative trials, which a quick pass runs only for the peers of a goal. */
    private static final String NOT_QUICK = "BlockedMillionBenchmark.*"
            + "|CreateBenchmark.withFirstMessage.*"
            + "|LiveActorsBenchmark.*(InOrder |live=1000000,).*"
            + "|RequestReplyBenchmark.fromPlatformThread.*"
            + "|SkynetBenchmark.*PEKKO}"
            + "|TellBenchmark.(twoToOne|fourToFour).*";

    /** The servers that a quick pass omits, although they have goals. */
    private static final String ONLY_FULL = "NetLoad.(tcp_warm|tcp_kept|tcp_kept_warm|http_open) .*";

    private static final String SHAPES = ShapeBenchmark.class.getPackageName() + ".";

    private Plan() {}

    /**
     * The plan for some trials.
     *
     * @param trials a regular expression for class, method and parameters
     * @param forks the maximum number of useful forks
     * @param seconds the duration of a fork
     */
    private record Row(String trials, int forks, double seconds) {}

    /** Returns the maximum number of forks of a trial. */
    static int forks(Trial trial) {
        return isOfGoal(trial) ? ALL : row(trial).forks();
    }

    /** Returns whether the benchmark measures a stereotype, which has a separate pass. */
    static boolean isOfShapes(String benchmark) {
        return benchmark.startsWith(SHAPES);
    }

    /** Returns the expected duration of a fork. */
    static Duration fork(Trial trial) {
        double work = Math.max(0, row(trial).seconds() - START);
        return Duration.ofMillis(Math.round(1e3 * (START + work * trial.share())));
    }

    /** Returns the reason for which a quick pass omits the trial; null if it does not. */
    static @Nullable String leftToTheFullPass(Trial trial) {
        boolean isLeft = text(trial).matches(ONLY_FULL) || (text(trial).matches(NOT_QUICK) && !isOfGoal(trial));
        return isLeft ? "Left to the full pass, to save time." : null;
    }

    /**
     * Returns the trials ordered so that the questions of the goals come first, with all their peers, because neighbors
     * are compared. If the time limit of the pass expires, the goals have already been measured.
     */
    static List<Trial> ordered(List<Trial> trials) {
        Set<Question> ofGoals =
                trials.stream().filter(Plan::isOfGoal).map(Plan::question).collect(Collectors.toSet());
        return trials.stream()
                .sorted(Comparator.comparing(trial -> !ofGoals.contains(question(trial))))
                .toList();
    }

    private static boolean isOfGoal(Trial trial) {
        String slug = question(trial).slug();
        return Goals.ALL.stream().anyMatch(goal -> goal.needs(slug, trial.peer()));
    }

    private static Row row(Trial trial) {
        String text = text(trial);
        return ROWS.stream()
                .filter(row -> text.matches(row.trials()))
                .findFirst()
                .orElseThrow();
    }

    private static String text(Trial trial) {
        return question(trial).name() + " " + trial.params();
    }

    private static Question question(Trial trial) {
        return Question.of(trial.benchmark(), trial.params(), "");
    }

    /** Returns the expected duration of all trials with this number of rounds. */
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
