package io.fibry.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurationsTest {

    private static final Duration AGES = Duration.ofSeconds(Long.MAX_VALUE);

    @Test
    void nanosAreLimitedToTheRangeOfALong() {
        assertEquals(0, Durations.nanos(Duration.ZERO));
        assertEquals(0, Durations.nanos(Duration.ofSeconds(Long.MIN_VALUE)));
        assertEquals(1_000_000_001, Durations.nanos(Duration.ofSeconds(1, 1)));
        assertEquals(Long.MAX_VALUE, Durations.nanos(Durations.FOREVER));
        assertEquals(Long.MAX_VALUE, Durations.nanos(AGES));
    }

    @Test
    void aDeadlineIsAheadHoweverFar() {
        assertTrue(Durations.deadline(AGES) - System.nanoTime()
                > Duration.ofDays(20_000).toNanos());
        assertTrue(Durations.deadline(Duration.ofSeconds(-1)) - System.nanoTime() <= 0);
        assertTrue(Durations.limitedNanos(AGES) + Durations.limitedNanos(AGES) > 0);
    }
}
