package io.fibry.bench.shapes;

import io.fibry.ActorSystem;
import io.fibry.mapreduce.MapReduceOptions;
import io.fibry.stereotypes.Stereotypes;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Items that take about 100 ns each, mapped on all processors and reduced to a sum: by a map-reduce, by virtual threads
 * with queues, in Go, and by a parallel stream, which is the right tool for such items.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="shapes.ShortMapReduceBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the field
public class ShortMapReduceBenchmark extends ShapeBenchmark {

    private static final int ITEMS = 1_000_000;
    private static final int TOKENS = 90;
    private static final int AT_A_TIME = Runtime.getRuntime().availableProcessors();
    private static final int WAITING = 128 * AT_A_TIME;
    private static final Integer END = -1;

    @Param({"FIBRY", "VIRTUAL_THREADS", "GO", "PARALLEL_STREAM"})
    public String peer;

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public void item() throws Exception {
        int items = scaled(ITEMS);
        long sum = switch (peer) {
            case "FIBRY" -> mapReduce(items);
            case "VIRTUAL_THREADS" -> withQueues(items);
            case "GO" -> runInGo("mapreduce", items, TOKENS);
            case "PARALLEL_STREAM" ->
                IntStream.range(0, items)
                        .parallel()
                        .mapToLong(ShortMapReduceBenchmark::map)
                        .sum();
            default -> throw unknown(peer);
        };
        check((long) items * (items - 1) / 2, sum);
    }

    private static long mapReduce(int items) throws Exception {
        var options = MapReduceOptions.defaults().parallelism(AT_A_TIME);
        try (var system = ActorSystem.create()) {
            return Stereotypes.def()
                    .in(system)
                    .mapReduce(
                            IntStream.range(0, items).boxed(),
                            ShortMapReduceBenchmark::map,
                            0L,
                            (sum, n) -> sum + n,
                            options)
                    .result()
                    .get();
        }
    }

    private static long withQueues(int items) throws Exception {
        var inputs = new ArrayBlockingQueue<Integer>(WAITING);
        var values = new ArrayBlockingQueue<Integer>(WAITING);
        start(() -> {
            for (int i = 0; i < items; i++) {
                inputs.put(i);
            }
            for (int i = 0; i < AT_A_TIME; i++) {
                inputs.put(END);
            }
        });
        for (int i = 0; i < AT_A_TIME; i++) {
            start(() -> mapAll(inputs, values));
        }
        var sum = new CompletableFuture<Long>();
        start(() -> sum.complete(sum(values)));
        return sum.get();
    }

    private static void mapAll(BlockingQueue<Integer> inputs, BlockingQueue<Integer> values)
            throws InterruptedException {
        for (Integer n = inputs.take(); !n.equals(END); n = inputs.take()) {
            values.put(map(n));
        }
        values.put(END);
    }

    private static long sum(BlockingQueue<Integer> values) throws InterruptedException {
        long sum = 0;
        for (int running = AT_A_TIME; running > 0; ) {
            Integer value = values.take();
            if (value.equals(END)) {
                running--;
            } else {
                sum += value;
            }
        }
        return sum;
    }

    private static int map(int n) {
        Blackhole.consumeCPU(TOKENS);
        return n;
    }
}
