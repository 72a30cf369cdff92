package io.fibry.bench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time to create one of 3,000 idle actors. The article uses this number of platform threads, and the machine has no
 * room for many more.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.CreateFewBenchmark -prof
 * io.fibry.bench.SideResults"}
 */
@Warmup(iterations = 10)
@Measurement(iterations = 10)
public class CreateFewBenchmark extends CreateWork {

    private static final int ACTORS = 3_000;

    public CreateFewBenchmark() {
        super(Scale.of(ACTORS));
    }

    @Benchmark
    @OperationsPerInvocation(ACTORS)
    public void idle() {
        createIdle();
    }
}
