package io.fibry.bench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/**
 * The time to run a task inside a sink, submitted by one platform thread. The measurement ends when all tasks have run.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.ExecuteBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class ExecuteBenchmark extends ActorBenchmark {

    private static final int EXECUTIONS = 1_000_000;

    private final Counter counter = new Counter(done);
    private Object sink;

    @Override
    void prepare() {
        sink = kept(actors.sink());
    }

    @Override
    void verify() {
        counter.verify();
    }

    @Benchmark
    @OperationsPerInvocation(EXECUTIONS)
    public void onSink() throws InterruptedException {
        int executions = Scale.of(EXECUTIONS);
        counter.expect(executions);
        for (int i = 0; i < executions; i++) {
            actors.execute(sink, () -> counter.accept("code"));
        }
        done.acquire();
    }
}
