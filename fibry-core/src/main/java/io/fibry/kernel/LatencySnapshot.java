package io.fibry.kernel;

import io.fibry.Latency;
import java.time.Duration;
import java.util.Arrays;

/** The content of a {@link Histogram}. */
final class LatencySnapshot implements Latency {

    private static final double ALL = 100;

    private final String actor;
    private final Kind kind;
    private final long[] counts;
    private final long count;
    private final long sum;
    private final long max;

    LatencySnapshot(String actor, Kind kind, long[] counts, long sum, long max) {
        this.actor = actor;
        this.kind = kind;
        this.counts = counts;
        this.count = Arrays.stream(counts).sum();
        this.sum = sum;
        this.max = max;
    }

    @Override
    public String actor() {
        return actor;
    }

    @Override
    public Kind kind() {
        return kind;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public Duration mean() {
        return Duration.ofNanos(count == 0 ? 0 : sum / count);
    }

    @Override
    public Duration max() {
        return Duration.ofNanos(max);
    }

    @Override
    public Duration percentile(double percent) {
        if (!(percent >= 0 && percent <= ALL)) { // also refuses NaN
            throw new IllegalArgumentException("a percentage must be from 0 to 100, not " + percent);
        }
        long rank = Math.max(1, (long) Math.ceil(count * percent / ALL));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return Duration.ofNanos(Math.min(max, Histogram.limit(i)));
            }
        }
        return Duration.ZERO; // there are no measurements
    }

    @Override
    public String toString() {
        return (actor.isEmpty() ? "all actors" : actor) + " " + kind + ": " + count + " times, mean " + mean()
                + ", p50 " + percentile(50) + ", p99 " + percentile(99) + ", max " + max();
    }
}
