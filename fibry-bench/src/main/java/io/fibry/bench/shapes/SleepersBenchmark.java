package io.fibry.bench.shapes;

import io.fibry.bench.peers.Peer;
import io.fibry.bench.peers.Peers;
import io.fibry.bench.peers.Receiver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Messages from four virtual threads to 100 actors, until all are handled, next to 10,000 actors that always sleep in
 * their handlers, for a second at a time, beginning at different times. In Kotlin the handlers suspend.
 *
 * <p>The sleeps cause 10,000 wake-ups per second. Sleeps of 100 ms would cause 100,000, which occupy the processors:
 * the peers then reach different numbers of wake-ups, and the load is not the same for all.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="shapes.SleepersBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class SleepersBenchmark extends ShapeBenchmark {

    private static final String GO = "GO";
    private static final int SENDERS = 4;
    private static final int COUNTERS = 100;
    private static final int MILLIS = 1_000;
    private static final int EACH = 2_500; // messages from a sender to a counter

    @Param({"FIBRY", "VIRTUAL_THREADS", "KOTLIN", "GO"})
    public String peer;

    @Param("10000")
    public int sleepers;

    private final Semaphore done = new Semaphore(0);
    private final List<Count> counts = new ArrayList<>();
    private final List<Object> counters = new ArrayList<>();
    private final List<Object> sleeping = new ArrayList<>();
    private Peer actors;
    private CountDownLatch awake;
    private final LongAdder wakeUps = new LongAdder();
    private long begin;
    private volatile boolean ending;

    /** The behavior of a counter. */
    private final class Count implements Receiver {

        private int missing;

        @Override
        public void accept(Object message) {
            if (--missing == 0) {
                done.release();
            }
        }
    }

    @Setup(Level.Trial)
    public void open() {
        if (peer.equals(GO)) {
            return; // the first run starts the program
        }
        begin = System.nanoTime();
        actors = Peers.valueOf(peer).open("SleepersBenchmark");
        awake = new CountDownLatch(sleepers);
        for (int i = 0; i < sleepers; i++) {
            Object sleeper = actors.sleeper(MILLIS, this::sleepsAgain);
            actors.tell(sleeper, (int) ((long) MILLIS * (i + 1) / sleepers));
            sleeping.add(sleeper);
        }
        for (int i = 0; i < COUNTERS; i++) {
            var count = new Count();
            counts.add(count);
            counters.add(actors.actor(count));
        }
    }

    private boolean sleepsAgain() {
        wakeUps.increment();
        boolean again = !ending;
        if (!again) {
            awake.countDown();
        }
        return again;
    }

    @Benchmark
    @OperationsPerInvocation(SENDERS * COUNTERS * EACH)
    public void message() throws InterruptedException {
        int each = scaled(EACH);
        if (peer.equals(GO)) {
            check((long) SENDERS * COUNTERS * each, runInGo("sleepers", sleepers, each));
            return;
        }
        for (Count count : counts) {
            count.missing = SENDERS * each;
        }
        for (int i = 0; i < SENDERS; i++) {
            start(() -> send(each));
        }
        done.acquire(COUNTERS);
    }

    private void send(int each) {
        for (int i = 0; i < each; i++) {
            for (Object counter : counters) {
                actors.tell(counter, "message");
            }
        }
    }

    @TearDown(Level.Trial)
    public void close() throws InterruptedException {
        if (peer.equals(GO)) {
            return;
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
        boolean isMeasured = scaled(EACH) == EACH; // a test asserts no durations
        boolean sleptInTime = !isMeasured || wakeUps.sum() >= (seconds - 1) * sleepers / 2;
        ending = true;
        boolean unused = awake.await(10, TimeUnit.SECONDS); // checked below
        sleeping.forEach(actors::stop);
        counters.forEach(actors::stop);
        actors.close();
        check(0, awake.getCount());
        if (!sleptInTime) {
            throw new IllegalStateException(wakeUps + " wake-ups in " + seconds + " s: the sleepers starved");
        }
        for (Count count : counts) {
            check(0, count.missing);
        }
    }
}
