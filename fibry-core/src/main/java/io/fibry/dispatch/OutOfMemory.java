package io.fibry.dispatch;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel does after an {@link OutOfMemoryError}. A full heap is often full for a moment only: other threads release
 * memory, or fail and end. A step that must not be left out is repeated until it succeeds, with a pause in between.
 *
 * <p><b>The reserve.</b> Memory that is full may come back only after a thread has been woken up: for instance, a handler that
 * keeps it waits for its client to disconnect. But to wake up a virtual thread takes memory too. So a little is kept in
 * reserve, which {@link WakeUps} gives up piece by piece while nothing else is left, and takes again later.
 */
public final class OutOfMemory {

    private static final long PAUSE_NANOS = 1_000_000;
    private static final int PIECE = 1 << 14;

    /** Used by the thread of the {@link WorkerWatch} only. */
    private static final byte[] @Nullable [] RESERVE = new byte[16][PIECE];

    private static volatile boolean seen;

    private OutOfMemory() {}

    /** Has this class initialized while there is memory for it. */
    static void prepare() {}

    /** Memory has run out. Called by whoever catches the error, unless it {@linkplain #pause pauses}. Allocates nothing. */
    public static void note() {
        seen = true;
    }

    /** Whether memory has run out since the start of the JVM. */
    static boolean hasOccurred() {
        return seen;
    }

    /** Whether there is memory for some hundred small objects. If not, gives up a piece of the reserve for the next attempt. */
    static boolean hasRoom() {
        if (allocate() != null) {
            return true;
        }
        seen = true;
        for (int i = 0; i < RESERVE.length; i++) {
            if (RESERVE[i] != null) {
                RESERVE[i] = null;
                return allocate() != null;
            }
        }
        return false;
    }

    /** Takes the pieces of the reserve again that have been given up, as far as there is memory for them. */
    static void restoreReserve() {
        for (int i = 0; i < RESERVE.length; i++) {
            if (RESERVE[i] == null) {
                RESERVE[i] = allocate();
                if (RESERVE[i] == null) {
                    return;
                }
            }
        }
    }

    private static byte @Nullable [] allocate() {
        try {
            return new byte[PIECE];
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    /**
     * Waits a moment before the next attempt. A virtual thread yields only: the JDK would have to schedule its wake-up, and the
     * thread might never wake up if that ran out of memory too.
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
