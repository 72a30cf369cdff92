package io.fibry.bench.shapes;

import io.fibry.ActorSystem;
import io.fibry.mapreduce.MapReduceOptions;
import io.fibry.stereotypes.Stereotypes;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Items that are mapped, eight at a time, and reduced to a sum: by a map-reduce, and by {@code Gatherers.mapConcurrent}
 * of the JDK, version 24 or newer. A mapper computes, or it sleeps.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="shapes.MapReduceBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class MapReduceBenchmark extends ShapeBenchmark {

    private static final int ITEMS = 2_000;
    private static final int AT_A_TIME = 8;

    @Param({"FIBRY", "MAP_CONCURRENT"})
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
