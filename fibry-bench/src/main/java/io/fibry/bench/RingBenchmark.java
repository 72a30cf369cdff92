package io.fibry.bench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/**
 * The cost of one hop of a message in a ring of 1,000 actors.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.RingBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class RingBenchmark extends ActorBenchmark {

    private static final int HOPS = 50_000;

    private Ring ring;

    @Override
    void prepare() {
        ring = new Ring(this, 1_000);
    }

    @Override
    void verify() {
        ring.verify();
    }

    @Benchmark
    @OperationsPerInvocation(HOPS)
    public void hop() throws InterruptedException {
        ring.run(0, Scale.of(HOPS));
    }
}
