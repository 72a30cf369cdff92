package io.fibry.bench.latency;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;

/** Latencies from many threads, with three digits. */
public final class Latencies {

    private static final long PATIENCE_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long LOOK_AGAIN_NANOS = Duration.ofMillis(1).toNanos();

    private final ConcurrentHistogram nanos =
            new ConcurrentHistogram(Duration.ofMinutes(10).toNanos(), 3);

    /** Records the time since the due time. */
    public void record(long due) {
        nanos.recordValue(Math.max(0, System.nanoTime() - due));
    }

    /** Returns the number of latencies. */
    public long count() {
        return nanos.getTotalCount();
    }

    /**
     * Waits for this number of latencies.
     *
     * @throws IllegalStateException if fewer are recorded within a minute, or if there are more
     */
    void await(long expected) {
        long start = System.nanoTime();
        while (count() < expected && System.nanoTime() - start < PATIENCE_NANOS) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
        if (count() != expected) {
            throw new IllegalStateException(count() + " were handled instead of " + expected);
        }
    }

    /** Returns the percentiles and the maximum, in microseconds. The prefix distinguishes them from other latencies. */
    public List<Finding> findings(String prefix) {
        var found = new ArrayList<Finding>();
        for (String percent : List.of("50", "99", "99.9")) {
            found.add(micros(prefix + "p" + percent, nanos.getValueAtPercentile(Double.parseDouble(percent))));
        }
        found.add(micros(prefix + "max", nanos.getMaxValue()));
        return found;
    }

    private static Finding micros(String name, long nanos) {
        return new Finding(name, nanos / 1e3, "us/op");
    }
}
