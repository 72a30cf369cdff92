package io.fibry.bench;

import io.fibry.bench.peers.Peers;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time of 100,000 sleeps of 100 ms on pools of 64 and 200 threads and on {@code Dispatchers.IO}, which is minutes.
 * It is the counterpart of {@link BlockedBenchmark}.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.BlockedPoolsBenchmark -f 1"}
 */
@Slow(quick = "handlers=2000")
@Warmup(iterations = 0)
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class BlockedPoolsBenchmark extends BlockedWork {

    @Param({"POOL_64", "POOL_200", "COROUTINES_IO"})
    public Peers peer;

    @Param("100000")
    public int handlers;

    @Override
    Peers peer() {
        return peer;
    }

    @Benchmark
    public void sleep100ms() throws InterruptedException {
        block(handlers, 100);
    }
}
