package io.fibry.bench.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Detects stalls of the machine while a fork runs in another process: times in which the virtual machine, and all its
 * processes, did not run. A thread reads the clock every millisecond, and parks in between, because a spinning thread
 * would take a processor from the fork. A reading that is late by more than a wake-up on a busy machine is a stall.
 */
final class ClockWatch {

    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A thread that uses little time waits for at most one time slice of the scheduler of Linux, about 3 ms. */
    private static final long TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    private final LongSupplier clock;
    private final Thread thread;
    private final long begin;
    private volatile boolean ends;
    private final List<Stall> stalls = new ArrayList<>(); // written by the thread, and read after its end

    /** A stall, in nanoseconds. */
    private record Stall(long end, long duration) {}

    /** Starts to watch with {@link System#nanoTime}. */
    static ClockWatch start() {
        return new ClockWatch(System::nanoTime);
    }

    ClockWatch(LongSupplier clock) {
        this.clock = clock;
        begin = clock.getAsLong();
        thread = Thread.ofPlatform()
                .name("clock-watch")
                .daemon()
                .priority(Thread.MAX_PRIORITY)
                .start(this::watch);
    }

    private void watch() {
        long before = begin;
        do {
            LockSupport.parkNanos(PERIOD_NANOS);
            long now = clock.getAsLong();
            long late = now - before - PERIOD_NANOS;
            if (late > TOLERANCE_NANOS) {
                stalls.add(new Stall(now, late));
            }
            before = now;
        } while (!ends);
    }

    /**
     * Ends the watch. Returns a description of the stalls in the last part of the watch, of this duration; empty if
     * they took at most this fraction of it.
     */
    String end(Duration last, double tolerated) throws InterruptedException {
        ends = true;
        thread.join();
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
