package io.fibry.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClockWatchTest {

    private static final long MILLI = 1_000_000;

    private final AtomicInteger readings = new AtomicInteger();
    private final CountDownLatch enough = new CountDownLatch(1);

    private String watch(long stall, double tolerated) throws InterruptedException {
        return watch(stall, Duration.ofDays(1), tolerated);
    }

    /** Watches a clock that advances by 2 ms per reading, and by this many more milliseconds at the tenth one. */
    private String watch(long stall, Duration last, double tolerated) throws InterruptedException {
        var nanos = new AtomicLong();
        var watch = new ClockWatch(() -> {
            int reading = readings.incrementAndGet();
            if (reading == 20) {
                enough.countDown();
            }
            return nanos.addAndGet((reading == 10 ? 2 + stall : 2) * MILLI);
        });
        enough.await();
        return watch.end(last, tolerated);
    }

    @Test
    void readingsThatAreLittleLateAreNoStall() throws InterruptedException {
        assertEquals("", watch(2, 0.001));
    }

    @Test
    void aLongGapBetweenReadingsIsAStall() throws InterruptedException {
        String stall = watch(50, 0.001);
        assertTrue(stall.startsWith("the machine stalled for 51.0 ms, "), stall);
        assertTrue(stall.endsWith(" % of the time, and at most 51.0 ms at once"), stall);
    }

    @Test
    void aToleratedStallIsNotReported() throws InterruptedException {
        assertEquals("", watch(50, 1));
    }

    /** At least ten readings of 2 ms follow the stall. */
    @Test
    void aStallBeforeTheMeasurementIsNotReported() throws InterruptedException {
        assertEquals("", watch(50, Duration.ofMillis(20), 0.001));
    }
}
