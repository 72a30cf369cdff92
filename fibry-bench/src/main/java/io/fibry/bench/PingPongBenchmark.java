package io.fibry.bench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/**
 * The cost of a round trip: two actors {@code tell} each other, one message at a time.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.PingPongBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class PingPongBenchmark extends ActorBenchmark {

    private static final int ROUND_TRIPS = 50_000;

    private Ring pair;

    @Override
    void prepare() {
        pair = new Ring(this, 2);
    }

    @Override
    void verify() {
        pair.verify();
    }

    @Benchmark
    @OperationsPerInvocation(ROUND_TRIPS)
    public void roundTrip() throws InterruptedException {
        pair.run(0, 2 * Scale.of(ROUND_TRIPS));
    }
}
