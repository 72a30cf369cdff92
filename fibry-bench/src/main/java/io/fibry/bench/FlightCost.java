package io.fibry.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fibry.ActorSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;

/**
 * The cost of {@code tell} and {@code ask} while Flight Recorder records with the default settings of the JDK, next to
 * the cost without a recording. It is not a JMH benchmark, because a JVM that has recorded once keeps the code for it:
 * each measurement takes a new JVM. Prints the medians of the JVMs, and their ratio.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=FlightCost}. The arguments are the number of
 * JVMs of each kind, by default 5, and the number of messages in a round: {@code -Dargs="5 1000000"}.
 */
final class FlightCost {

    private static final String CHILD = "child";
    private static final int ROUNDS = 10;
    private static final int MEASURED = 5; // the last ones: the others warm up
    private static final List<String> NAMES = List.of("tell", "ask by a thread", "ask by an actor");

    private FlightCost() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 2 && args[0].equals(CHILD)) {
            measure(Integer.parseInt(args[1]));
            return;
        }
        int jvms = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        int messages = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
        List<double[]> off = new ArrayList<>();
        List<double[]> on = new ArrayList<>();
        for (int i = 0; i < jvms; i++) { // in turn, so that a change of the machine affects both
            off.add(child(List.of(), messages));
            on.add(child(List.of("-XX:StartFlightRecording=settings=default"), messages));
        }
        for (int i = 0; i < NAMES.size(); i++) {
            double without = median(off, i);
            double with = median(on, i);
            System.out.printf(
                    "%s: %.0f ns without a recording, %.0f ns with one: %.2f x%n",
                    NAMES.get(i), without, with, with / without);
        }
    }

    private static double median(List<double[]> jvms, int index) {
        double[] sorted = jvms.stream().mapToDouble(jvm -> jvm[index]).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** Returns the nanoseconds of each operation in a new JVM with this option. */
    private static double[] child(List<String> options, int messages) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx4g"));
        command.addAll(List.of("-Xlog:disable", "-Xlog:all=warning:stderr")); // no line about the recording
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FlightCost.class.getName(), CHILD));
        command.add(Integer.toString(messages));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("a JVM has failed: " + String.join(" ", command));
        }
        return Arrays.stream(output.strip().split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private static void measure(int messages) {
        try (var system = ActorSystem.create()) {
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
            System.out.println(tell + " " + thread + " " + actor);
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
