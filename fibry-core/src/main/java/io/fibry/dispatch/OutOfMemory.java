package io.fibry.dispatch;

import java.util.concurrent.locks.LockSupport;

/**
 * What the kernel does after an {@link OutOfMemoryError}. A full heap is often full for a moment only: other threads release
 * memory, or fail and end. A step that must not be left out is repeated until it succeeds, with a pause in between.
 */
public final class OutOfMemory {

    private static final long PAUSE_NANOS = 1_000_000;

    private OutOfMemory() {}

    /** Has this class initialized while there is memory for it. */
    static void prepare() {}

    /**
     * Waits a moment before the next attempt. A virtual thread yields only: the JDK would have to schedule its wake-up, and the
     * thread might never wake up if that ran out of memory too.
     */
    public static void pause() {
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
