package io.fibry.bench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to create one of 1,000,000 idle actors, for those who are so fast that 200,000 of {@link CreateBenchmark} are only
 * a few milliseconds. The others would need a minute and more until a million of their actors have come and gone several times.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.CreateManyBenchmark -prof io.fibry.bench.SideResults"}
 */
@Warmup(iterations = 5)
@Measurement(iterations = 5)
public class CreateManyBenchmark extends CreateWork {

    private static final int ACTORS = 1_000_000;

    public CreateManyBenchmark() {
        super(Scale.of(ACTORS));
    }

    @Benchmark
    @OperationsPerInvocation(ACTORS)
    public void idle() {
        createIdle();
    }
}
