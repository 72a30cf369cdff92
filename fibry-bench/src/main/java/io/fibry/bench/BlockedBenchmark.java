package io.fibry.bench;

import io.fibry.bench.peers.Peers;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * The time of 100,000 handlers that each sleep for 100 ms, compared with virtual threads and coroutines without actors,
 * and with a cached pool.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.BlockedBenchmark -prof
 * io.fibry.bench.SideResults"}
 */
@Slow(quick = "handlers=20000")
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class BlockedBenchmark extends BlockedWork {

    @Param({
        "FIBRY",
        "FIBRY_THREADS",
        "FIBRY_2_4_1",
        "PEKKO",
        "KOTLIN",
        "JOX",
        "VIRTUAL_THREADS",
        "EXECUTOR",
        "BARE_VIRTUAL_THREADS",
        "CACHED_POOL",
        "POOL_64",
        "POOL_200",
        "COROUTINES_IO",
        "COROUTINES_DEFAULT",
        "COROUTINES_UNCONFINED",
        "COROUTINES_VIRTUAL_THREADS",
        "COROUTINES_FIBRY",
        "COROUTINES_FIBRY_ACTOR"
    })
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
