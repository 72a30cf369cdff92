package io.fibry.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LogLimitTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @Test
    void theFirstLineIsWrittenAndThenOneASecond() {
        for (long start : new long[] {0, -SECOND / 2, Long.MAX_VALUE - SECOND / 2}) { // the clock may have any value
            var log = new LogLimit(start);
            assertTrue(log.mayTell(start));
            assertEquals(0, log.takeUntold());
            assertFalse(log.mayTell(start));
            assertFalse(log.mayTell(start + SECOND - 1));
            assertTrue(log.mayTell(start + SECOND));
            assertEquals(2, log.takeUntold());
            assertEquals(0, log.takeUntold());
            assertFalse(log.mayTell(start + SECOND + 1));
            assertFalse(log.mayTell(start + 2 * SECOND - 1));
            assertTrue(log.mayTell(start + 10 * SECOND));
            assertEquals(2, log.takeUntold());
        }
    }
}
