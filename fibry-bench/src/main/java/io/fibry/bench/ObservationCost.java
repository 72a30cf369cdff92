package io.fibry.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import io.fibry.context.MessageObservations;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;

/**
 * The cost of {@code tell} and {@code ask} while a system is observed in different ways, next to the cost without
 * observation. It is not a JMH benchmark, because a JVM that has observed once keeps the code for it: each measurement
 * takes a new JVM, and the JVMs of the ways alternate. Prints the medians as a table in Markdown.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=ObservationCost}. The arguments are the number
 * of JVMs of each way, by default 5, and the number of messages in a round: {@code -Dargs="5 1000000"}.
 */
final class ObservationCost {

    private static final int ROUNDS = 10;
    private static final int MEASURED = 5; // the last ones: the others warm up
    private static final List<String> OPERATIONS = List.of("`tell`", "`ask` by a thread", "`ask` by an actor");
    private static final String RESULT = "result ";

    private enum Way {
        NONE("none"),
        METRICS("metrics, read each second"),
        SAMPLE("latencies of one message in 64"),
        ALL("latencies of all messages"),
        OBSERVATIONS("observations of one message in 100"),
        EVENTS("Flight Recorder, default settings");

        final String text;

        Way(String text) {
            this.text = text;
        }

        List<String> jvmOptions() {
            return this == EVENTS ? List.of("-XX:StartFlightRecording=settings=default") : List.of();
        }

        SystemOptions systemOptions() {
            SystemOptions options = SystemOptions.defaults();
            return switch (this) {
                case SAMPLE -> options.latencySampling(64);
                case ALL -> options.latencySampling(1);
                case OBSERVATIONS -> options.context(observations().sampled(0.01));
                case NONE, METRICS, EVENTS -> options;
            };
        }
    }

    private ObservationCost() {}

    /** Observations with a handler that does nothing: without a handler, Micrometer creates none. */
    private static MessageObservations observations() {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(context -> true);
        return MessageObservations.of(registry);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 2
                && Arrays.stream(Way.values()).anyMatch(way -> way.name().equals(args[0]))) {
            measure(Way.valueOf(args[0]), Integer.parseInt(args[1]));
            return;
        }
        int jvms = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        int messages = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
        Map<Way, List<double[]>> results = new EnumMap<>(Way.class);
        for (Way way : Way.values()) {
            results.put(way, new ArrayList<>());
        }
        for (int i = 0; i < jvms; i++) {
            for (Map.Entry<Way, List<double[]>> entry : results.entrySet()) {
                entry.getValue().add(child(entry.getKey(), messages));
            }
        }
        print(results);
    }

    private static void print(Map<Way, List<double[]>> results) {
        System.out.println("| observation | " + String.join(" | ", OPERATIONS) + " |");
        System.out.println("|---" + "|---".repeat(OPERATIONS.size()) + "|");
        List<double[]> none = results.getOrDefault(Way.NONE, List.of());
        results.forEach((way, costs) -> {
            var line = new StringBuilder("| " + way.text + " |");
            for (int i = 0; i < OPERATIONS.size(); i++) {
                double cost = median(costs, i);
                line.append(" %.0f ns, %.2f × |".formatted(cost, cost / median(none, i)));
            }
            System.out.println(line);
        });
    }

    private static double median(List<double[]> jvms, int operation) {
        double[] sorted =
                jvms.stream().mapToDouble(jvm -> jvm[operation]).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** Returns the nanoseconds of each operation in a new JVM. */
    private static double[] child(Way way, int messages) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx4g"));
        command.addAll(way.jvmOptions());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ObservationCost.class.getName()));
        command.addAll(List.of(way.name(), Integer.toString(messages)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        String result = output.lines()
                .filter(line -> line.startsWith(RESULT)) // the JVM prints lines about a recording
                .findFirst()
                .orElse(null);
        if (process.waitFor() != 0 || result == null) {
            throw new IllegalStateException("a JVM has failed: " + String.join(" ", command));
        }
        return Arrays.stream(result.substring(RESULT.length()).split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private static void measure(Way way, int messages) {
        try (var system = ActorSystem.create(way.systemOptions())) {
            if (way == Way.METRICS) {
                Thread.ofPlatform().daemon().start(() -> readMetrics(system));
            }
            int asks = Math.max(1, messages / 10);
            var square = system.actor("square").newActorWithReturn((Integer n) -> n * n);
            var asker = system.actor("asker").newActorWithReturn((Integer n) -> {
                long sum = 0;
                for (int i = 0; i < n; i++) {
                    sum += square.call(i & 1023);
                }
                return sum;
            });
            double tell = best(messages, () -> tell(system, messages));
            double thread = best(asks, () -> {
                long sum = 0;
                for (int i = 0; i < asks; i++) {
                    sum += square.ask(i & 1023).join();
                }
                return sum;
            });
            double actor = best(asks, () -> asker.ask(asks).join());
            System.out.println(RESULT + tell + " " + thread + " " + actor);
        }
    }

    private static void readMetrics(ActorSystem system) {
        while (!system.metrics(name -> true).isEmpty()) {
            try {
                Thread.sleep(1_000);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static long tell(ActorSystem system, int messages) {
        var done = new CountDownLatch(1);
        var count = new int[1];
        var actor = system.actor("counter").newActor((String message) -> {
            if (++count[0] == messages) {
                done.countDown();
            }
        });
        for (int i = 0; i < messages; i++) {
            actor.tell("message");
        }
        try {
            done.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted before the last message", e);
        }
        actor.close();
        return messages;
    }

    /** Returns the nanoseconds of one operation in the best of the last rounds. */
    private static double best(int operations, LongSupplier round) {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < ROUNDS; i++) {
            long begin = System.nanoTime();
            long result = round.getAsLong();
            double nanos = (double) (System.nanoTime() - begin) / operations;
            if (result < 0) {
                throw new IllegalStateException("the result is wrong: " + result);
            }
            best = i < ROUNDS - MEASURED ? best : Math.min(best, nanos);
        }
        return best;
    }
}
