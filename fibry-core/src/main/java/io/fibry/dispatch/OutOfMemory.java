package io.fibry.dispatch;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The reaction of the kernel to an {@link OutOfMemoryError}. Memory is often exhausted only briefly: other threads
 * release memory, or fail and end. A step that must not be skipped is repeated until it succeeds, with a pause between
 * two attempts.
 *
 * <p>This does not protect the threads themselves. The JDK loses a virtual thread if memory runs out while it schedules
 * the end of a timed wait of that thread, and it does not replace its own threads, such as the pollers that wake up
 * virtual threads when their sockets are ready. {@link Stacks} and {@code io.fibry.sockets.SocketCheck} limit the
 * consequences.
 */
public final class OutOfMemory {

    private static final long PAUSE_NANOS = 1_000_000;

    private static final AtomicInteger NOTED = new AtomicInteger();

    private OutOfMemory() {}

    /**
     * Records that memory has run out. A {@code catch} block calls it, unless it {@linkplain #pause pauses}. Allocates
     * nothing.
     */
    public static void note() {
        NOTED.incrementAndGet();
    }

    /** The number of recorded errors, modulo 2^32; 0 if memory has never run out. */
    public static int noted() {
        return NOTED.get();
    }

    /** Whether memory has run out since the start of the JVM. */
    static boolean hasOccurred() {
        return NOTED.get() != 0;
    }

    /**
     * Pauses briefly before the next attempt. A virtual thread yields, because the JDK may lose a virtual thread that
     * begins a timed wait while memory is exhausted.
     */
    public static void pause() {
        note();
        try {
            if (Thread.currentThread().isVirtual()) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (OutOfMemoryError e) {
            Thread.onSpinWait();
        }
    }
}
