package io.fibry.bench;

import io.fibry.bench.peers.Peers;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What becomes of requests that come at twice the rate that a resource can serve. It has 4 permits, and each use of it takes 2
 * ms, so 4,000 requests a second are twice as many. They come for 3 seconds, whether others are waiting or not.
 *
 * <p>The time is that from the first request to the last answer. Noted are the share of the requests that were answered within
 * half a second, the share that was refused at once, and how long the answered ones took.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="OverloadBenchmark -prof io.fibry.bench.SideResults"}
 */
@Slow(quick = "requests=3000")
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 1)
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class OverloadBenchmark extends PeerBenchmark {

    private static final int PERMITS = 4;
    private static final int USE_MILLIS = 2;
    private static final long NANOS_BETWEEN = TimeUnit.MILLISECONDS.toNanos(USE_MILLIS) / PERMITS / 2;
    private static final long IN_TIME = TimeUnit.MILLISECONDS.toNanos(500);

    @Param({
        "FIBRY_BOUNDED",
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
        "POOL_200"
    })
    public Peers peer;

    @Param("12000")
    public int requests;

    private final Semaphore resource = new Semaphore(PERMITS);
    private final Object[] workers = new Object[PERMITS];
    private final AtomicInteger answered = new AtomicInteger();
    private long[] latencies = {};

    @Override
    Peers peer() {
        return peer;
    }

    @Override
    void prepare() {
        for (int i = 0; i < PERMITS; i++) {
            workers[i] = kept(actors.actor(request -> answer((Long) request)));
        }
    }

    private void answer(long since) {
        resource.acquireUninterruptibly();
        BlockedWork.sleep(USE_MILLIS);
        resource.release();
        latencies[answered.getAndIncrement()] = System.nanoTime() - since;
        done.release();
    }

    @Benchmark
    public void twiceTheCapacity() throws InterruptedException {
        latencies = new long[requests];
        answered.set(0);
        int refused = send();
        done.acquire(requests - refused);
        long[] sorted = Arrays.copyOf(latencies, answered.get());
        Arrays.sort(sorted);
        long inTime =
                Arrays.stream(sorted).filter(latency -> latency <= IN_TIME).count();
        SideResults.note("answeredInTime", 100.0 * inTime / requests, "%");
        SideResults.note("refused", 100.0 * refused / requests, "%");
        SideResults.note("latencyMedian", sorted[sorted.length / 2] / 1e6, "ms");
        SideResults.note("latency99Percent", sorted[sorted.length * 99 / 100] / 1e6, "ms");
    }

    /** Sends each request when it is due, which is also the time from which its answer is late. Returns how many were refused. */
    private int send() {
        int refused = 0;
        long start = System.nanoTime();
        for (int i = 0; i < requests; i++) {
            long due = start + i * NANOS_BETWEEN;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            try {
                actors.tell(workers[i % PERMITS], due);
            } catch (RejectedExecutionException e) {
                refused++;
            }
        }
        return refused;
    }
}
