package io.fibry.bench.shapes;

import io.fibry.ActorSystem;
import io.fibry.mapreduce.MapReduceOptions;
import io.fibry.stereotypes.Stereotypes;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Items that are mapped, eight at a time, and reduced to a sum: by a map-reduce, and by two means of JDK 25:
 * {@code Gatherers.mapConcurrent}, and a {@code StructuredTaskScope} with a subtask for each item, which is a preview
 * API. A mapper computes, or it sleeps.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="shapes.MapReduceBenchmark"}
 */
@Fork(
        value = 5,
        jvmArgsAppend = {"-Xmx8g", "--enable-preview"})
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class MapReduceBenchmark extends ShapeBenchmark {

    private static final int ITEMS = 2_000;
    private static final int AT_A_TIME = 8;

    @Param({"FIBRY", "MAP_CONCURRENT", "STRUCTURED_CONCURRENCY"})
    public String peer;

    @Param({"COMPUTE", "SLEEP_1_MILLI"})
    public String mapper;

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public void item() throws Exception {
        int items = scaled(ITEMS);
        Stream<Integer> inputs = IntStream.range(0, items).boxed();
        long sum = switch (peer) {
            case "FIBRY" -> mapReduce(inputs);
            case "MAP_CONCURRENT" ->
                mapConcurrent(inputs).mapToLong(Integer::longValue).sum();
            case "STRUCTURED_CONCURRENCY" -> inSubtasks(items);
            default -> throw unknown(peer);
        };
        check((long) items * (items - 1) / 2, sum);
    }

    private long mapReduce(Stream<Integer> inputs) throws Exception {
        var options = MapReduceOptions.defaults().parallelism(AT_A_TIME);
        try (var system = ActorSystem.create()) {
            return Stereotypes.def()
                    .in(system)
                    .mapReduce(inputs, this::map, 0L, (sum, n) -> sum + n, options)
                    .result()
                    .get();
        }
    }

    /** Uses reflection, because this module is also compiled for Java 21. */
    @SuppressWarnings("unchecked") // a gatherer of integers
    private Stream<Integer> mapConcurrent(Stream<Integer> inputs) throws ReflectiveOperationException {
        Function<Integer, Integer> map = this::map;
        Object gatherer = Class.forName("java.util.stream.Gatherers")
                .getMethod("mapConcurrent", int.class, Function.class)
                .invoke(null, AT_A_TIME, map);
        return (Stream<Integer>) Stream.class
                .getMethod("gather", Class.forName("java.util.stream.Gatherer"))
                .invoke(inputs, gatherer);
    }

    /** Uses reflection, like {@link #mapConcurrent}. A scope is left open only if the benchmark fails. */
    private long inSubtasks(int items) throws ReflectiveOperationException, InterruptedException {
        Class<?> type = Class.forName("java.util.concurrent.StructuredTaskScope");
        Method fork = type.getMethod("fork", Callable.class);
        var permits = new Semaphore(AT_A_TIME);
        var sum = new LongAdder();
        Object scope = type.getMethod("open").invoke(null);
        for (int i = 0; i < items; i++) {
            permits.acquire();
            int item = i;
            Callable<Integer> subtask = () -> {
                try {
                    int value = map(item);
                    sum.add(value);
                    return value;
                } finally {
                    permits.release();
                }
            };
            fork.invoke(scope, subtask);
        }
        type.getMethod("join").invoke(scope);
        type.getMethod("close").invoke(scope);
        return sum.sum();
    }

    private int map(int n) {
        if (mapper.equals("SLEEP_1_MILLI")) {
            sleep();
        } else {
            Blackhole.consumeCPU(10_000);
        }
        return n;
    }

    private static void sleep() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
