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
            assertTrue(log.tryLog(start));
            assertEquals(0, log.takeSuppressed());
            assertFalse(log.tryLog(start));
            assertFalse(log.tryLog(start + SECOND - 1));
            assertTrue(log.tryLog(start + SECOND));
            assertEquals(2, log.takeSuppressed());
            assertEquals(0, log.takeSuppressed());
            assertFalse(log.tryLog(start + SECOND + 1));
            assertFalse(log.tryLog(start + 2 * SECOND - 1));
            assertTrue(log.tryLog(start + 10 * SECOND));
            assertEquals(2, log.takeSuppressed());
        }
    }
}
