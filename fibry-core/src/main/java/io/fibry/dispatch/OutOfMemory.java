package io.fibry.dispatch;

import java.util.concurrent.locks.LockSupport;

/**
 * What the kernel does after an {@link OutOfMemoryError}. A full heap is often full for a moment only: other threads release
 * memory, or fail and end. A step that must not be left out is repeated until it succeeds, with a pause in between.
 */
public final class OutOfMemory {

    private static final long PAUSE_NANOS = 1_000_000;

    private OutOfMemory() {}

    /** Waits a moment before the next attempt. */
    public static void pause() {
        try {
            LockSupport.parkNanos(PAUSE_NANOS);
        } catch (OutOfMemoryError e) { // to park a virtual thread takes memory too
            Thread.onSpinWait();
        }
    }
}
