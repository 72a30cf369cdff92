package io.fibry.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Detects stalls of the machine while a fork runs in another process: times in which the virtual machine, and all its
 * processes, did not run. A thread reads the clock every millisecond, and parks in between, because a spinning thread
 * would take a processor from the fork. A reading is a stall if it is late by more than a wake-up, without the time for
 * which the thread was ready and waited for a processor: a fork that uses all processors delays the thread, too. A
 * stall during such a wait is not detected, because Linux counts it as a part of the wait.
 */
final class ClockWatch {

    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** One time slice of the scheduler of Linux takes about 3 ms. */
    private static final long TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    private final LongSupplier clock;
    private final Path processorTimes;
    private final Thread thread;
    private final long begin;
    private volatile boolean ends;
    private final List<Stall> stalls = new ArrayList<>(); // written by the thread, and read after its end
    private @Nullable Exception failure; // as above

    /** A stall, in nanoseconds. */
    private record Stall(long end, long duration) {}

    /** Starts to watch with {@link System#nanoTime}. */
    static ClockWatch start() {
        return new ClockWatch(System::nanoTime, ProcessorWait.OF_THIS_THREAD);
    }

    /** Starts to watch with a clock. The file has the times of the watching thread; see {@link ProcessorWait}. */
    ClockWatch(LongSupplier clock, Path processorTimes) {
        this.clock = clock;
        this.processorTimes = processorTimes;
        begin = clock.getAsLong();
        thread = Thread.ofPlatform()
                .name("clock-watch")
                .daemon()
                .priority(Thread.MAX_PRIORITY)
                .start(this::watch);
    }

    private void watch() {
        try (ProcessorWait wait = ProcessorWait.open(processorTimes)) {
            long before = begin;
            long waitedBefore = wait.nanos();
            do {
                LockSupport.parkNanos(PERIOD_NANOS);
                long now = clock.getAsLong();
                long waited = wait.nanos();
                long late = now - before - PERIOD_NANOS - (waited - waitedBefore);
                if (late > TOLERANCE_NANOS) {
                    stalls.add(new Stall(now, late));
                }
                before = now;
                waitedBefore = waited;
            } while (!ends);
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
    }

    /**
     * Ends the watch. Returns a description of the stalls in the last part of the watch, of this duration; empty if
     * they took at most this fraction of it.
     *
     * @throws IOException if the time that the thread has waited for a processor could not be read
     */
    String end(Duration last, double tolerated) throws IOException, InterruptedException {
        ends = true;
        thread.join();
        if (failure != null) {
            throw new IOException("it is not known whether the machine stalled", failure);
        }
        long now = clock.getAsLong();
        long counted = Math.min(now - begin, last.toNanos());
        long stalled = 0;
        long longest = 0;
        for (Stall stall : stalls) {
            if (now - stall.end < counted) {
                stalled += stall.duration;
                longest = Math.max(longest, stall.duration);
            }
        }
        double fraction = (double) stalled / counted;
        return fraction <= tolerated
                ? ""
                : "the machine stalled for %.1f ms, %.2f %% of the time, and at most %.1f ms at once"
                        .formatted(stalled / 1e6, 100 * fraction, longest / 1e6);
    }
}
