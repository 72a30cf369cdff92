package io.fibry.bench;

import io.fibry.bench.peers.Peers;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * The time of Kotlin coroutines on different dispatchers: 1,000 that each hold their thread for 10 ms, and 100,000 that
 * each suspend for 100 ms without a thread. {@link BlockedBenchmark} measures 100,000 sleeps.
 *
 * <p>{@link BlockedMillionBenchmark} measures 1,000,000 coroutines that delay for a second, and
 * {@link TenMillionDelays} the 10,000,000 of an article.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.CoroutinesBenchmark"}
 */
@Slow(quick = {"sleepers=100", "delays=10000"})
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class CoroutinesBenchmark extends BlockedWork {

    @Param({
        "COROUTINES_IO",
        "COROUTINES_DEFAULT",
        "COROUTINES_UNCONFINED",
        "COROUTINES_VIRTUAL_THREADS",
        "COROUTINES_FIBRY",
        "COROUTINES_FIBRY_ACTOR",
        "COROUTINES_DELAY",
        "FIBRY",
        "FIBRY_2_4_1",
        "PEKKO",
        "KOTLIN",
        "JOX",
        "VIRTUAL_THREADS",
        "EXECUTOR"
    })
    public Peers peer;

    @Param("1000")
    public int sleepers;

    @Param("100000")
    public int delays;

    @Override
    Peers peer() {
        return peer;
    }

    /** {@code launch(dispatcher) { Thread.sleep(10) }}. */
    @Benchmark
    public void sleep10ms() throws InterruptedException {
        block(sleepers, 10);
    }

    /** {@code launch(dispatcher) { delay(100) }}. */
    @Benchmark
    public void delay100ms() throws InterruptedException {
        delay(delays, 100);
    }
}
