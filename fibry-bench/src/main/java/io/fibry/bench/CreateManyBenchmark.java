package io.fibry.bench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time to create one of 1,000,000 idle actors, for peers whose 200,000 actors of {@link CreateBenchmark} take only
 * a few milliseconds. The other peers would take more than a minute for several rounds of a million actors.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.CreateManyBenchmark -prof
 * io.fibry.bench.SideResults"}
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
