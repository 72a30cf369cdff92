package io.fibry.bench;

import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The size of the reachable objects in the heap. */
public final class Heap {

    private static final int ATTEMPTS = 20;
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LIMIT = TimeUnit.SECONDS.toNanos(60);

    private Heap() {}

    /**
     * Returns the number of reachable bytes. New actors may still be starting, so this method collects until the result
     * is stable, with a limit.
     */
    public static long used() {
        long used = collected();
        int steady = 0;
        for (int i = 0; i < ATTEMPTS && steady < 2; i++) {
            LockSupport.parkNanos(PAUSE);
            long next = collected();
            steady = Math.abs(next - used) < used * 0.001 ? steady + 1 : 0;
            used = next;
        }
        return used;
    }

    private static long collected() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Collects until the object is unreachable. Pauses between collections, so that ending threads can complete. */
    static void awaitUnreachable(WeakReference<?> object) {
        long start = System.nanoTime();
        for (long took = collect(); !object.refersTo(null); took = collect()) {
            if (System.nanoTime() - start > LIMIT) {
                throw new IllegalStateException("still reachable after a minute: " + object.get());
            }
            LockSupport.parkNanos(Math.max(PAUSE, 2 * took));
        }
    }

    private static long collect() {
        long start = System.nanoTime();
        System.gc();
        return System.nanoTime() - start;
    }
}
