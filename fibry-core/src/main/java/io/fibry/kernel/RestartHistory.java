package io.fibry.kernel;

import io.fibry.Backoff;
import io.fibry.RestartLimit;
import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The recent restarts of an actor or supervisor, for its restart limit and its backoff. Confined to one thread at a
 * time.
 */
final class RestartHistory {

    private final ArrayDeque<Long> times = new ArrayDeque<>();
    private long last;
    private int inARow;

    /** Records a restart now. Returns false if it exceeds the limit within the period. */
    boolean allows(RestartLimit limit, @Nullable Backoff backoff, long now) {
        // The backoff starts over after twice the longest pause without a failure.
        boolean sameRow = inARow > 0 && backoff != null && (now - last) / 2 < Durations.nanos(backoff.longest());
        inARow = sameRow ? inARow + 1 : 1;
        last = now;
        if (limit.isUnlimited()) {
            return true;
        }
        times.add(now);
        while (now - times.element() >= Durations.nanos(limit.period())) {
            times.remove();
        }
        return times.size() <= limit.restarts();
    }

    /** The backoff before the last recorded restart. */
    Duration pause(@Nullable Backoff backoff) {
        return backoff == null ? Duration.ZERO : pause(backoff, inARow, ThreadLocalRandom.current());
    }

    /** The pause before the restart with this number in a series, counted from 1. */
    static Duration pause(Backoff backoff, int number, RandomGenerator random) {
        double doubled = (double) Durations.nanos(backoff.first()) * Math.pow(2, number - 1);
        long nanos = (long) Math.min(doubled, (double) Durations.nanos(backoff.longest()));
        return Duration.ofNanos(nanos - random.nextLong(nanos / 2 + 1));
    }
}
