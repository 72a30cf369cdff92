package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Backoff;
import io.fibry.RestartLimit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Intensity, period, and rows of failures; the times are arguments, so these tests do not wait. */
class RestartHistoryTest {

    private static final long SECOND = 1_000_000_000;

    /** The clock of the JVM may have any origin, and overflow. */
    private static final long[] BEGINNINGS = {0, -5 * SECOND, Long.MAX_VALUE - SECOND, Long.MIN_VALUE};

    @Test
    void oneMoreThanTheLimitWithinThePeriodIsTooMany() {
        for (long begin : BEGINNINGS) {
            var history = new RestartHistory();
            var limit = new RestartLimit(2, Duration.ofSeconds(10));
            assertTrue(history.allows(limit, null, begin));
            assertTrue(history.allows(limit, null, begin + 4 * SECOND));
            assertFalse(history.allows(limit, null, begin + 10 * SECOND - 1));
        }
    }

    @Test
    void restartsBeforeThePeriodDoNotCount() {
        for (long begin : BEGINNINGS) {
            var history = new RestartHistory();
            var limit = new RestartLimit(2, Duration.ofSeconds(10));
            assertTrue(history.allows(limit, null, begin));
            assertTrue(history.allows(limit, null, begin + 4 * SECOND));
            assertTrue(history.allows(limit, null, begin + 10 * SECOND)); // the first is a whole period ago
            assertFalse(history.allows(limit, null, begin + 14 * SECOND - 1));
            assertTrue(history.allows(limit, null, begin + 100 * SECOND));
        }
    }

    @Test
    void aLimitOfZeroAllowsNoRestart() {
        assertFalse(new RestartHistory().allows(new RestartLimit(0, Duration.ofNanos(1)), null, 5));
    }

    @Test
    void withoutALimitAnyNumberOfRestartsIsAllowed() {
        var history = new RestartHistory();
        for (int i = 0; i < 100_000; i++) {
            assertTrue(history.allows(RestartLimit.NONE, null, 7));
        }
    }

    @Test
    void withoutABackoffThereIsNoPause() {
        var history = new RestartHistory();
        assertTrue(history.allows(RestartLimit.NONE, null, 1));
        assertEquals(Duration.ZERO, history.pause(null));
    }

    @Test
    void pausesGrowWithinARowWhichEndsAfterTwiceTheMaximum() {
        for (long begin : BEGINNINGS) {
            var history = new RestartHistory();
            var backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(8));
            assertPause(history, backoff, begin, 1);
            assertPause(history, backoff, begin + SECOND, 2);
            assertPause(history, backoff, begin + 3 * SECOND, 4);
            assertPause(history, backoff, begin + 19 * SECOND - 1, 8); // not yet twice 8 seconds
            assertPause(history, backoff, begin + 35 * SECOND - 1, 1);
        }
    }

    @Test
    void aRowWithTheMaximumPauseGrowsToo() {
        var history = new RestartHistory();
        var backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(Long.MAX_VALUE));
        assertPause(history, backoff, 0, 1);
        assertPause(history, backoff, SECOND, 2);
        assertPause(history, backoff, 100 * SECOND, 4);
    }

    private static void assertPause(RestartHistory history, Backoff backoff, long now, long seconds) {
        assertTrue(history.allows(RestartLimit.NONE, backoff, now));
        long nanos = history.pause(backoff).toNanos();
        assertTrue(nanos <= seconds * SECOND && nanos >= seconds * SECOND / 2, seconds + " s: " + nanos);
    }

    @Test
    void invalidLimitsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new RestartLimit(-1, Duration.ofSeconds(1)));
        assertThrows(IllegalArgumentException.class, () -> new RestartLimit(1, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> new RestartLimit(1, Duration.ofSeconds(-1)));
    }
}
