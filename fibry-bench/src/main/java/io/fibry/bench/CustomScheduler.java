package io.fibry.bench;

import com.sun.management.OperatingSystemMXBean;
import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import io.fibry.ThreadStrategy;
import io.fibry.kernel.LocalSystem;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a scheduler of virtual threads that belongs to the library: actors on the JDK's scheduler, on two
 * carrier threads of this program, and minimal actors whose turns run on these carriers with and without a virtual
 * thread. Prints the median time, CPU time of the process, and voluntary context switches per operation, and the median
 * ratio of the times to the ones of the first variant in the same round. Each variant runs in its own JVM, and the
 * variants alternate.
 *
 * <p>The JDK has no API for this. The carriers are set by reflection, which works on Java 21 and 25. The numbers of
 * context switches need Linux.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=CustomScheduler
 * -Dbench.jvm="--add-opens=java.base/java.lang=ALL-UNNAMED"}. The argument is the number of rounds, by default 5.
 */
final class CustomScheduler {

    private static final long WARM_UP = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long MEASURED = TimeUnit.MILLISECONDS.toNanos(400);
    private static final int HOPS = 50_000;

    private enum Variant {
        JDK("Fibry, scheduler of the JDK", null),
        CARRIERS("Fibry, own carriers", Carriers.Turns.DIRECT),
        POOL("Fibry, pool strategy on own carriers", Carriers.Turns.DIRECT),
        SPARE("minimal actors, spare", Carriers.Turns.SPARE),
        NOTICE("minimal actors, no spare", Carriers.Turns.NOTICE),
        DIRECT("minimal actors, no virtual thread", Carriers.Turns.DIRECT);

        private final String title;
        private final Carriers.@Nullable Turns turns;

        Variant(String title, Carriers.@Nullable Turns turns) {
            this.title = title;
            this.turns = turns;
        }
    }

    /** The values per operation: nanoseconds, nanoseconds of CPU, context switches. */
    private record Cost(double time, double cpu, double switches) {}

    private CustomScheduler() {}

    public static void main(String[] args) throws Exception {
        if (args.length == 2) {
            measureAll(Variant.valueOf(args[1]));
            return;
        }
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        Map<String, Map<Variant, List<Cost>>> results = new TreeMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Variant variant : Variant.values()) {
                runChild(variant, results);
            }
        }
        System.out.printf("| work | variant | ns | ratio | CPU ns | switches |%n|---|---|--:|--:|--:|--:|%n");
        results.forEach((work, variants) -> {
            List<Cost> base = variants.getOrDefault(Variant.JDK, List.of());
            variants.forEach((variant, costs) -> System.out.printf(
                    "| %s | %s | %,.0f | %.2f | %,.0f | %.4f |%n",
                    work,
                    variant.title,
                    median(costs.stream().map(Cost::time).toList()),
                    median(ratios(costs, base)),
                    median(costs.stream().map(Cost::cpu).toList()),
                    median(costs.stream().map(Cost::switches).toList())));
        });
    }

    private static List<Double> ratios(List<Cost> costs, List<Cost> base) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < costs.size(); i++) {
            ratios.add(costs.get(i).time / base.get(i).time);
        }
        return ratios;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    private static void runChild(Variant variant, Map<String, Map<Variant, List<Cost>>> results)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(CustomScheduler.class.getName(), "child", variant.name()));
        Process child = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = child.inputReader()) {
            output.lines().forEach(line -> {
                String[] parts = line.split(" ", 4); // the last one is the work
                var cost = new Cost(
                        Double.parseDouble(parts[0]), Double.parseDouble(parts[1]), Double.parseDouble(parts[2]));
                results.computeIfAbsent(parts[3], work -> new TreeMap<>())
                        .computeIfAbsent(variant, v -> new ArrayList<>())
                        .add(cost);
            });
        }
        if (child.waitFor() != 0) {
            throw new IllegalStateException(variant + " has failed");
        }
    }

    // ---- in the child

    private static void measureAll(Variant variant) throws Exception {
        Carriers carriers = variant.turns == null ? null : new Carriers(variant.turns);
        ThreadFactory threads = carriers == null ? Thread.ofVirtual().factory() : carriers.threads();
        UnaryOperator<Consumer<Long>> actors = actors(variant, carriers);
        measure("1 hop in a ring of 1,000", SchedulerWork.ring(actors, 1_000, HOPS, 0));
        measure("2 message of a ping-pong", SchedulerWork.ring(actors, 2, HOPS, 0));
        measure("3 request of a virtual thread", SchedulerWork.requests(actors, threads));
        measure("4 hop, each 1,000th handler sleeps", SchedulerWork.ring(actors, 10_000, HOPS, 1_000));
        measure("5 hop, each handler sleeps", SchedulerWork.ring(actors, 10_000, HOPS / 100, 1));
        if (variant == Variant.JDK || variant == Variant.CARRIERS) {
            measure("6 virtual thread, start and join", SchedulerWork.startAndJoin(threads));
            measure("7 virtual threads, round trip of two", SchedulerWork.roundTrips(threads));
        }
        System.exit(0); // the JVM does not wait for sleeping handlers
    }

    private static UnaryOperator<Consumer<Long>> actors(Variant variant, @Nullable Carriers carriers) throws Exception {
        if (carriers == null) {
            return fibry(ActorSystem.create());
        }
        return switch (variant) {
            case CARRIERS -> fibry(systemOn(carriers.threads()));
            case POOL -> fibry(ActorSystem.create(ThreadStrategy.pool(carriers)));
            default -> carriers::actor;
        };
    }

    private static UnaryOperator<Consumer<Long>> fibry(ActorSystem system) {
        return behavior -> {
            Actor<Long> actor = system.actor().newActor(behavior::accept);
            return actor::tell;
        };
    }

    /** A system whose workers are threads of the factory. The constructor is private. */
    private static ActorSystem systemOn(ThreadFactory threads) throws ReflectiveOperationException {
        var constructor =
                LocalSystem.class.getDeclaredConstructor(SystemOptions.class, Executor.class, int.class, boolean.class);
        constructor.setAccessible(true);
        Executor workers = worker -> threads.newThread(worker).start();
        return constructor.newInstance(SystemOptions.defaults(), workers, Carriers.COUNT, true);
    }

    private static void measure(String title, SchedulerWork work) throws Exception {
        for (long start = System.nanoTime(); System.nanoTime() - start < WARM_UP; ) {
            work.run();
        }
        var os = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long switches = ContextSwitches.voluntary();
        long cpu = os.getProcessCpuTime();
        long start = System.nanoTime();
        double operations = 0;
        while (System.nanoTime() - start < MEASURED) {
            operations += work.run();
        }
        double time = (System.nanoTime() - start) / operations;
        double cpuTime = (os.getProcessCpuTime() - cpu) / operations;
        System.out.println(
                time + " " + cpuTime + " " + (ContextSwitches.voluntary() - switches) / operations + " " + title);
    }
}
