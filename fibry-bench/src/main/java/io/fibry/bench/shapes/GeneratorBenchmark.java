package io.fibry.bench.shapes;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.generator.GeneratorOptions;
import io.fibry.stereotypes.Stereotypes;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * Values from one virtual thread to another: by a generator, and by a bounded queue of the JDK with the same capacity.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="shapes.GeneratorBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class GeneratorBenchmark extends ShapeBenchmark {

    private static final int VALUES = 500_000;
    private static final int BUFFER = 256;

    @Param({"FIBRY", "ARRAY_BLOCKING_QUEUE"})
    public String peer;

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public void value() throws InterruptedException, ExecutionException {
        int values = scaled(VALUES);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long sum = switch (peer) {
                case "FIBRY" -> threads.submit(() -> readGenerator(values)).get();
                case "ARRAY_BLOCKING_QUEUE" -> {
                    var queue = new ArrayBlockingQueue<Integer>(BUFFER);
                    threads.execute(() -> fill(queue, values));
                    yield threads.submit(() -> readQueue(queue, values)).get();
                }
                default -> throw unknown(peer);
            };
            check((long) values * (values - 1) / 2, sum);
        }
    }

    private static long readGenerator(int values) {
        long sum = 0;
        try (var system = ActorSystem.create()) {
            var generator = Stereotypes.with(ThreadStrategy.virtual())
                    .in(system)
                    .<Integer>generator(
                            out -> {
                                for (int i = 0; i < values; i++) {
                                    out.accept(i);
                                }
                            },
                            GeneratorOptions.defaults().buffer(BUFFER));
            for (int value : generator) {
                sum += value;
            }
        }
        return sum;
    }

    private static void fill(ArrayBlockingQueue<Integer> queue, int values) {
        try {
            for (int i = 0; i < values; i++) {
                queue.put(i);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long readQueue(ArrayBlockingQueue<Integer> queue, int values) throws InterruptedException {
        long sum = 0;
        for (int i = 0; i < values; i++) {
            sum += queue.take();
        }
        return sum;
    }
}
