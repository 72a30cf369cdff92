package io.fibry.observer;

import java.lang.ref.SoftReference;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The rates of all actors in the list, from the counts of two earlier passes. A pass compares with the counts of about
 * a second ago, so that passes in quick succession do not have rates of a few milliseconds. Confined to one thread at a
 * time.
 */
final class HandledRates {

    /** A rate is the number of messages in 1,000 seconds. */
    static final double UNIT = 1000;

    private static final long SHORTEST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final double NANOS = 1e9;

    /** The counts of two passes; the first of them has been replaced as the newest by the second. */
    private record Counts(@Nullable HandledCounts older, HandledCounts newer) {}

    /** Soft: the memory of a list that is no longer read is left to the program. */
    private @Nullable SoftReference<Counts> kept;

    /** The rates of one pass. */
    final class Pass {
        private final @Nullable HandledCounts base;
        private final @Nullable HandledCounts counting;
        private final double seconds;

        private Pass(@Nullable HandledCounts base, @Nullable HandledCounts counting, long now) {
            this.base = base;
            this.counting = counting;
            seconds = base == null ? 1 : (now - base.nanos()) / NANOS;
        }

        /** Whether there are rates: not in the first pass. */
        boolean areKnown() {
            return base != null;
        }

        /** Counts an actor, for later passes. Called for each actor. */
        void count(int id, long handled) {
            if (counting != null) {
                counting.put(id, handled);
            }
        }

        /** The rate of an actor; 0 if it was not there before. */
        long of(int id, long handled) {
            return base == null ? 0 : Math.round(Math.max(0, base.since(id, handled)) / seconds * UNIT);
        }

        /** Keeps the counts. Called after the last actor. */
        void end() {
            if (counting != null) {
                kept = new SoftReference<>(new Counts(base, counting));
            }
        }
    }

    /** Begins a pass. */
    Pass begin(long now) {
        Counts counts = kept == null ? null : kept.get();
        if (counts == null || now - counts.newer.nanos() > LONGEST_NANOS) {
            return new Pass(null, new HandledCounts(now, 0), now);
        }
        return now - counts.newer.nanos() < SHORTEST_NANOS
                ? new Pass(counts.older, null, now)
                : new Pass(counts.newer, new HandledCounts(now, counts.newer.size()), now);
    }
}
