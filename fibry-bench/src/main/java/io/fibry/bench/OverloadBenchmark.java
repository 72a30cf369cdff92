package io.fibry.bench;

import io.fibry.bench.peers.Peers;
import io.fibry.bench.peers.Resource;
import io.fibry.bench.peers.Service;
import java.util.Arrays;
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
 * The outcome of requests at twice the capacity of a resource. The resource has 4 permits, and each use takes 2 ms, so
 * its capacity is half of the 4,000 requests per second. Requests arrive for 3 seconds at a fixed rate, regardless of
 * the backlog.
 *
 * <p>Four services refuse excess requests, with room for 64 waiting ones: actors of this library with bounded
 * mailboxes, actors of Pekko that ask for work on its blocking dispatcher, coroutines that suspend for a permit, and a
 * pool of four threads with a bounded queue. All other services queue any number of requests.
 *
 * <p>The primary result is the time from the first request to the last answer. Secondary results are the fraction of
 * requests that were answered within half a second, the fraction that was refused immediately, and the latency of
 * answered requests.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.OverloadBenchmark -prof
 * io.fibry.bench.SideResults"}
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
    private static final int ROOM = 64;
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
        "POOL_200",
        "COROUTINES_IO",
        "COROUTINES_DEFAULT",
        "COROUTINES_UNCONFINED",
        "COROUTINES_VIRTUAL_THREADS",
        "COROUTINES_FIBRY",
        "COROUTINES_FIBRY_ACTOR"
    })
    public Peers peer;

    @Param("12000")
    public int requests;

    private final Resource resource = new Resource(PERMITS, USE_MILLIS);
    private final AtomicInteger refused = new AtomicInteger();
    private Service service;

    /** The latency by the number of the request; 0 for requests without an answer. */
    private long[] latencies = {};

    private long start;

    @Override
    Peers peer() {
        return peer;
    }

    @Override
    void prepare() {
        service = actors.service(resource, ROOM, new Client());
    }

    private final class Client implements Service.Client {

        @Override
        public void answered(Object request) {
            int number = (Integer) request;
            latencies[number] = System.nanoTime() - due(number);
            done.release();
        }

        @Override
        public void refused(Object request) {
            refused.incrementAndGet();
            done.release();
        }
    }

    /** Returns the time at which a request is due, from which its latency is counted. */
    private long due(int request) {
        return start + request * NANOS_BETWEEN;
    }

    @Benchmark
    public void twiceTheCapacity() throws InterruptedException {
        latencies = new long[requests];
        refused.set(0);
        start = System.nanoTime();
        for (int i = 0; i < requests; i++) {
            for (long left = due(i) - System.nanoTime(); left > 0; left = due(i) - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            service.submit(i);
        }
        done.acquire(requests);
        note();
    }

    private void note() {
        long[] sorted =
                Arrays.stream(latencies).filter(latency -> latency > 0).sorted().toArray();
        check(requests - refused.get(), sorted.length);
        long inTime =
                Arrays.stream(sorted).filter(latency -> latency <= IN_TIME).count();
        SideResults.note("answeredInTime", 100.0 * inTime / requests, "%");
        SideResults.note("refused", 100.0 * refused.get() / requests, "%");
        SideResults.note("latencyMedian", sorted[sorted.length / 2] / 1e6, "ms");
        SideResults.note("latency99Percent", sorted[sorted.length * 99 / 100] / 1e6, "ms");
    }

    @Override
    void verify() {
        if (resource.mostUsers() > PERMITS) {
            throw new IllegalStateException(resource.mostUsers() + " used the resource at a time");
        }
        if (service.isBounded() != (refused.get() > 0)) {
            throw new IllegalStateException(refused + " requests were refused");
        }
    }

    @Override
    public void close() {
        service.close();
        super.close();
    }
}
