package io.fibry.bench.shapes;

import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import io.fibry.pool.PoolOptions;
import io.fibry.stereotypes.Stereotypes;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Tasks that compute, two at a time, for a worker pool on platform threads, and for a fixed thread pool. At most 1,000
 * tasks wait; beyond that, the submitting platform thread waits.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="shapes.WorkerPoolBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class WorkerPoolBenchmark extends ShapeBenchmark {

    private static final int TASKS = 20_000;
    private static final int AT_A_TIME = 2;
    private static final int WAITING = 1_000;

    @Param({"FIBRY", "THREAD_POOL"})
    public String peer;

    /** The computation per task, in tokens of JMH: a small and a larger task. */
    @Param({"2000", "25000"})
    public int tokens;

    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void task() throws InterruptedException {
        int tasks = scaled(TASKS);
        var done = new LongAdder();
        IntConsumer work = i -> {
            Blackhole.consumeCPU(tokens);
            done.increment();
        };
        switch (peer) {
            case "FIBRY" -> {
                var options = PoolOptions.of(AT_A_TIME).bounded(WAITING, Overflow.BLOCK);
                try (var system = ActorSystem.create();
                        var pool = Stereotypes.with(ThreadStrategy.platform())
                                .in(system)
                                .workerPool((Integer i) -> work.accept(i), options)) {
                    for (int i = 0; i < tasks; i++) {
                        pool.tell(i);
                    }
                }
            }
            case "THREAD_POOL" -> {
                var queue = new ArrayBlockingQueue<Runnable>(WAITING);
                try (var pool = new ThreadPoolExecutor(AT_A_TIME, AT_A_TIME, 1, TimeUnit.DAYS, queue)) {
                    pool.prestartAllCoreThreads();
                    for (int i = 0; i < tasks; i++) {
                        int n = i;
                        queue.put(() -> work.accept(n));
                    }
                }
            }
            default -> throw unknown(peer);
        }
        check(tasks, done.sum());
    }
}
