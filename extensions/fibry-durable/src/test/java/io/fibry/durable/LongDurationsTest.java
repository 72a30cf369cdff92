package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/** Durations that exceed the nanoseconds of a long. */
class LongDurationsTest {

    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    @Test
    void theLongestPauseOfABackoffMayBeAnyDuration() {
        for (Duration longest : new Duration[] {Duration.ofDays(200_000), FOREVER}) {
            for (Duration first : new Duration[] {Duration.ofSeconds(1), longest}) {
                var retries = new Retries(8, new Backoff(first, longest));
                long now = System.nanoTime();
                for (int attempt = 0; attempt < 100; attempt++) {
                    retries.add(new IOException("refused"), now);
                    assertFalse(retries.isDue(now));
                }
            }
        }
    }

    @Test
    void aLeaseMayBeAnyDuration() {
        assertFalse(Delivery.Lease.of(Duration.ofDays(200_000)).isOver());
        assertFalse(Delivery.Lease.of(FOREVER).isOver());
        assertTrue(Delivery.Lease.of(Duration.ofMillis(1)).isOver());
    }
}
