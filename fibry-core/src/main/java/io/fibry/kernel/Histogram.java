package io.fibry.kernel;

import io.fibry.Latency;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts times in buckets whose width is an eighth of their lower limit, or less. Occupies 2.3 KB. Thread-safe; a
 * recording allocates nothing. A snapshot that races with recordings may lack some of their parts.
 */
final class Histogram {

    /** The binary logarithm of the number of buckets of each power of two. */
    private static final int BITS = 3;

    private static final int BUCKETS_OF_POWER = 1 << BITS;

    /** The first powers share one bucket: times below 64 ns. */
    private static final int MIN_POWER = 6;

    /** Longer times, from 36 minutes, are in the last bucket. */
    private static final int MAX_POWER = 41;

    private static final int BUCKETS = (MAX_POWER - MIN_POWER) * BUCKETS_OF_POWER + 1;

    private static final int SUM = BUCKETS;
    private static final int MAX = BUCKETS + 1;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS + 2);

    void record(long nanos) {
        long time = Math.max(0, nanos);
        counts.getAndIncrement(bucket(time));
        counts.getAndAdd(SUM, time);
        counts.accumulateAndGet(MAX, time, Math::max);
    }

    /** The index of the bucket of a time. */
    static int bucket(long nanos) {
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos | 1);
        if (power < MIN_POWER) {
            return 0;
        }
        if (power >= MAX_POWER) {
            return BUCKETS - 1;
        }
        int step = (int) (nanos >>> (power - BITS)) & (BUCKETS_OF_POWER - 1);
        return (power - MIN_POWER) * BUCKETS_OF_POWER + step + 1;
    }

    /** The longest time of a bucket. */
    static long limit(int bucket) {
        if (bucket == 0) {
            return (1L << MIN_POWER) - 1;
        }
        if (bucket == BUCKETS - 1) {
            return Long.MAX_VALUE;
        }
        int power = (bucket - 1) / BUCKETS_OF_POWER + MIN_POWER;
        long steps = BUCKETS_OF_POWER + (bucket - 1L) % BUCKETS_OF_POWER;
        return ((steps + 1) << (power - BITS)) - 1;
    }

    Latency snapshot(String actor, Latency.Kind kind) {
        long[] copy = new long[BUCKETS];
        for (int i = 0; i < BUCKETS; i++) {
            copy[i] = counts.get(i);
        }
        return new LatencySnapshot(actor, kind, copy, counts.get(SUM), counts.get(MAX));
    }
}
