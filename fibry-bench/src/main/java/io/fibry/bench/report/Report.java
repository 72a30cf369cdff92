package io.fibry.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fibry.bench.durable.PostgresServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Measures all benchmarks with alternating peers, and writes raw results, tables and charts to
 * {@code fibry-bench/results/NAME}.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=report.Report -Dargs="quick"}. Without
 * arguments it prints its usage.
 */
final class Report {

    private static final String USAGE = """
        Usage: quick | full | latency | savina | shapes | durable | render [--name NAME] [--only REGEXP] [--forks N] [--seconds N] [--resume] [--estimate]
          quick   a fork for each peer of all but the longest benchmarks; takes at most ten minutes
          full    5 forks for the peers of a goal, 1 or 2 for the others; takes an hour
          latency 5 forks for each peer: latencies at fixed rates, and fairness; takes 75 minutes
          savina  5 forks of each workload of the Savina suite for each of its peers; takes 80 minutes
          shapes  5 forks of the stereotypes, such as entities and topics, 2 for peers without a goal; takes half an hour
          durable 5 forks of durable entities and their peers, with PostgreSQL and H2; takes half an hour
          render  writes the tables and charts of a run again
          --name NAME     the folder in results; default: the name of the measurement
          --only REGEXP   the benchmarks whose full names match, such as 'Ring|NetLoad'
          --forks N       the number of rounds; default: 5
          --seconds N     the duration of the load of servers and actors; default: 5, for quick 2, for durable 10
          --estimate      prints the expected duration, and measures nothing
          --resume        continues a run that was stopped\
        """;

    private static final String LATENCY = "latency";
    private static final String SAVINA = "savina";
    private static final String SHAPES = "shapes";
    private static final String DURABLE = "durable";

    private Report() {}

    private record Task(
            String what, Path folder, Pattern only, int forks, int seconds, boolean resume, boolean estimate) {}

    public static void main(String[] args) throws InterruptedException {
        try {
            run(task(args));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "\n" + USAGE);
            System.exit(2);
        } catch (IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private static Task task(String[] args) {
        var left = new ArrayDeque<>(List.of(args));
        String what = left.isEmpty() ? "" : left.pop();
        if (!List.of("quick", "full", LATENCY, SAVINA, SHAPES, DURABLE, "render")
                .contains(what)) {
            throw new IllegalArgumentException("Unknown measurement: " + what);
        }
        String name = what.equals("render") ? "full" : what;
        var only = Pattern.compile("");
        int forks = 5;
        int seconds = what.equals("quick") ? 2 : what.equals(DURABLE) ? 10 : 5;
        boolean resume = false;
        boolean estimate = false;
        while (!left.isEmpty()) {
            String option = left.pop();
            switch (option) {
                case "--name" -> name = value(left);
                case "--only" -> only = Pattern.compile(value(left));
                case "--forks" -> forks = Integer.parseInt(value(left));
                case "--seconds" -> seconds = Integer.parseInt(value(left));
                case "--resume" -> resume = true;
                case "--estimate" -> estimate = true;
                default -> throw new IllegalArgumentException("Unknown option: " + option);
            }
        }
        return new Task(what, Path.of("results", name), only, forks, seconds, resume, estimate);
    }

    private static String value(ArrayDeque<String> left) {
        if (left.isEmpty()) {
            throw new IllegalArgumentException("The last option requires a value.");
        }
        return left.pop();
    }

    private static void run(Task task) throws IOException, InterruptedException {
        if (task.estimate()) {
            estimate(task);
            return;
        }
        RunFolder run = task.what().equals("render") ? RunFolder.open(task.folder()) : measure(task);
        Markdown.write(run, Goals.of(run.figures()));
        System.out.print(LatencyTables.of(Answers.of(run.figures(), run.gaps())));
        System.out.println("See " + run.path().resolve("report.md").toAbsolutePath());
    }

    private static RunFolder measure(Task task) throws IOException, InterruptedException {
        Pace pace = pace(task);
        var card = MachineCard.of(pace);
        if (!task.only().pattern().isEmpty()) {
            card.put(RunFolder.ONLY, task.only().pattern());
        } else if (task.what().equals(SAVINA)) {
            card.put(RunFolder.ONLY, "Savina");
        } else if (task.what().equals(SHAPES)) {
            card.put(RunFolder.ONLY, "shapes");
        } else if (task.what().equals(DURABLE)) {
            card.put(RunFolder.ONLY, "Durability");
        }
        if (task.what().equals(DURABLE)) {
            card.put("stores", Versions.stores() + ", " + PostgresServer.version() + " with default settings");
        }
        RunFolder run = task.resume() ? RunFolder.resume(task.folder(), card) : RunFolder.begin(task.folder(), card);
        try (var log = new PrintStream(Files.newOutputStream(run.path().resolve("jmh.log")), true, UTF_8)) {
            new Rounds(Plan.ordered(trials(task, pace, log)), pace, run, System.out).run();
        }
        run.finish();
        return run;
    }

    private static Pace pace(Task task) {
        Pace pace = task.what().equals("quick") ? Pace.quick() : Pace.full(task.forks());
        return pace.loadedFor(task.seconds());
    }

    private static List<Trial> trials(Task task, Pace pace, PrintStream log) throws IOException {
        var trials = new ArrayList<Trial>();
        if (task.what().equals(LATENCY)) {
            trials.addAll(LatencyTrial.all(task.only(), pace));
        } else if (task.what().equals(SAVINA)) {
            trials.addAll(SavinaTrial.all(task.only()));
        } else if (task.what().equals(DURABLE)) {
            trials.addAll(DurableTrial.all(task.only(), pace));
        } else if (task.what().equals(SHAPES)) {
            trials.addAll(JmhTrial.all(task.only(), pace, log));
            trials.removeIf(trial -> !Plan.isOfShapes(trial.benchmark()));
        } else {
            trials.addAll(NetTrial.all(task.only(), pace));
            trials.addAll(JmhTrial.all(task.only(), pace, log));
            trials.removeIf(trial -> Plan.isOfShapes(trial.benchmark()));
        }
        if (trials.isEmpty()) {
            throw new IOException("No benchmark matches " + task.only());
        }
        return trials;
    }

    private static void estimate(Task task) throws IOException {
        Pace pace = pace(task);
        List<Trial> trials = trials(task, pace, new PrintStream(OutputStream.nullOutputStream()));
        trials.removeIf(trial -> trial.cannot() != null);
        Plan.print(trials, pace.forks(), System.out);
    }
}
