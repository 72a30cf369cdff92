package io.fibry.dispatch;

/**
 * Determines when a worker with short turns yields to waiting virtual threads: every {@link #INTERVAL_NANOS}. A yield
 * often costs as much as forty short turns. Confined to the thread of the worker.
 *
 * <p>Reading the clock costs about as much as a short turn. The clock is therefore read after a number of turns, which
 * is adjusted at each reading so that readings are about {@link #READING_NANOS} apart. If the turns become longer, one
 * reading comes late by the duration of those turns; the {@linkplain ActorThread#isSliceOver time slice} limits this.
 */
final class YieldTimer {

    static final int INTERVAL_NANOS = 200_000;
    static final int READING_NANOS = INTERVAL_NANOS / 8;

    /** The maximum number of turns between two readings. */
    static final int MAX_TURNS = 1 << 10;

    private long lastReading;
    private int nanosSinceYield;
    private int turnsPerReading = 1;
    private int turnsLeft = 1;

    /** @param now the time in nanoseconds */
    YieldTimer(long now) {
        lastReading = now;
    }

    /** Counts a turn. Returns whether the clock has to be read, for {@link #isYieldDue}. */
    boolean isReadingDue() {
        return --turnsLeft <= 0;
    }

    /** Returns whether the worker should yield now, and then starts the next interval. */
    boolean isYieldDue(long now) {
        long elapsed = Math.max(1, now - lastReading);
        lastReading = now;
        int most = Math.min(2 * turnsPerReading, MAX_TURNS);
        turnsPerReading = Math.clamp((long) turnsPerReading * READING_NANOS / elapsed, 1, most);
        turnsLeft = turnsPerReading;
        nanosSinceYield = (int) Math.min(nanosSinceYield + elapsed, INTERVAL_NANOS);
        if (nanosSinceYield < INTERVAL_NANOS) {
            return false;
        }
        nanosSinceYield = 0;
        return true;
    }
}
