package io.fibry.bench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/**
 * The time to create an actor, and its size in the heap: 200,000 actors that are new, or that have handled a first
 * message.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.CreateBenchmark -prof
 * io.fibry.bench.SideResults"}
 */
public class CreateBenchmark extends CreateWork {

    private static final int ACTORS = 200_000;

    public CreateBenchmark() {
        super(Scale.of(ACTORS));
    }

    @Benchmark
    @OperationsPerInvocation(ACTORS)
    public void idle() {
        createIdle();
    }

    @Benchmark
    @OperationsPerInvocation(ACTORS)
    public void withFirstMessage() throws InterruptedException {
        createWithFirstMessage();
    }
}
