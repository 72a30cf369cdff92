package io.fibry.bench;

import io.fibry.bench.peers.Peers;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * The time of a million handlers that each sleep for a second, compared with virtual threads without actors, and with
 * coroutines that delay for a second instead. The coroutines block no thread, which requires suspending code.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.BlockedMillionBenchmark -prof
 * io.fibry.bench.SideResults"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class BlockedMillionBenchmark extends BlockedWork {

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
        "COROUTINES_FIBRY_ACTOR",
        "COROUTINES_DELAY"
    })
    public Peers peer;

    @Param("1000000")
    public int handlers;

    @Override
    Peers peer() {
        return peer;
    }

    @Benchmark
    public void sleep1s() throws InterruptedException {
        if (peer == Peers.COROUTINES_DELAY) {
            delay(handlers, 1_000);
        } else {
            block(handlers, 1_000);
        }
    }
}
