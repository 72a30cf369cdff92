package io.fibry.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ClockWatchTest {

    private static final long MILLI = 1_000_000;

    private final AtomicInteger readings = new AtomicInteger();
    private final CountDownLatch enough = new CountDownLatch(1);
    private Path times;

    @BeforeEach
    void createFile(@TempDir Path folder) {
        times = folder.resolve("schedstat");
    }

    private String watch(long stall, double tolerated) throws Exception {
        return watch(stall, Duration.ofDays(1), tolerated);
    }

    private String watch(long stall, Duration last, double tolerated) throws Exception {
        return watch(stall, 0, last, tolerated);
    }

    /**
     * Watches a clock that advances by 2 ms per reading, and by this many more milliseconds at the tenth one, of which
     * the thread waits for a processor.
     */
    private String watch(long stall, long wait, Duration last, double tolerated) throws Exception {
        write(5);
        var nanos = new AtomicLong();
        var watch = new ClockWatch(
                () -> {
                    int reading = readings.incrementAndGet();
                    if (reading == 10) {
                        write(5 + wait);
                    } else if (reading == 20) {
                        enough.countDown();
                    }
                    return nanos.addAndGet((reading == 10 ? 2 + stall : 2) * MILLI);
                },
                times);
        enough.await();
        return watch.end(last, tolerated);
    }

    /** Writes the time that the thread has waited for a processor. */
    private void write(long millis) {
        try {
            Files.writeString(times, "123456 %d 77\n".formatted(millis * MILLI));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void readingsThatAreLittleLateAreNoStall() throws Exception {
        assertEquals("", watch(2, 0.001));
    }

    @Test
    void aLongGapBetweenReadingsIsAStall() throws Exception {
        String stall = watch(50, 0.001);
        assertTrue(stall.startsWith("the machine stalled for 51.0 ms, "), stall);
        assertTrue(stall.endsWith(" % of the time, and at most 51.0 ms at once"), stall);
    }

    @Test
    void aToleratedStallIsNotReported() throws Exception {
        assertEquals("", watch(50, 1));
    }

    /** At least ten readings of 2 ms follow the stall. */
    @Test
    void aStallBeforeTheMeasurementIsNotReported() throws Exception {
        assertEquals("", watch(50, Duration.ofMillis(20), 0.001));
    }

    @Test
    void theTimeOfWaitingForAProcessorIsNoStall() throws Exception {
        assertEquals("", watch(50, 49, Duration.ofDays(1), 0.001));
    }

    @Test
    void aStallMayFollowAWaitForAProcessor() throws Exception {
        String stall = watch(50, 30, Duration.ofDays(1), 0.001);
        assertTrue(stall.startsWith("the machine stalled for 21.0 ms, "), stall);
    }

    @Test
    void timesThatCannotBeReadAreReported() throws Exception {
        Files.createDirectory(times);
        var watch = new ClockWatch(System::nanoTime, times);
        assertThrows(IOException.class, () -> watch.end(Duration.ofDays(1), 1));
    }

    @Test
    void timesInAnotherFormatAreReported() throws Exception {
        Files.writeString(times, "no times");
        var watch = new ClockWatch(System::nanoTime, times);
        assertThrows(IOException.class, () -> watch.end(Duration.ofDays(1), 1));
    }

    @Test
    void linuxCountsTheWaitOfAThreadForAProcessor() throws Exception {
        assumeTrue(Files.exists(ProcessorWait.OF_THIS_THREAD), "no Linux with these times");
        var ends = new AtomicBoolean();
        try (ProcessorWait wait = ProcessorWait.open(ProcessorWait.OF_THIS_THREAD)) {
            long before = wait.nanos();
            for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
                Thread.ofPlatform().daemon().start(() -> {
                    while (!ends.get()) {
                        Thread.onSpinWait();
                    }
                });
            }
            while (wait.nanos() - before < 10 * MILLI) {
                Thread.onSpinWait();
            }
        } finally {
            ends.set(true);
        }
    }
}
