package io.fibry.dispatch;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The virtual threads that are ready and wait for a carrier thread. A worker yields only to such threads. If none
 * waits, a yield wakes another carrier thread, which may continue the worker on another processor.
 *
 * <p>Their number comes from {@code jdk.management.VirtualThreadSchedulerMXBean}, which JDK 24 has added. The library
 * calls it by reflection, since it also runs on JDK 21. A call takes about 20 ns. Its classes take about 50 ms to load,
 * so the thread that preloads the kernel loads them. Until then, on earlier JDKs, and if the module {@code
 * jdk.management} is absent, this class assumes that threads wait.
 */
public class WaitingThreads {

    /** The virtual threads of the JVM. */
    public static final WaitingThreads COUNTED = new WaitingThreads();

    /** Assumes that threads wait. For workers that a test controls: they have to take the same steps in each run. */
    static final WaitingThreads ASSUMED = new WaitingThreads() {
        @Override
        boolean areMoreThan(int number) {
            return true;
        }
    };

    /** Returns the number; null if it is not available. */
    private volatile @Nullable MethodHandle counter;

    WaitingThreads() {}

    /** Whether more threads wait, or their number is not available. A hint. Allocates nothing. */
    boolean areMoreThan(int number) {
        MethodHandle c = counter;
        return c == null || count(c) > number;
    }

    private static long count(MethodHandle counter) {
        try {
            return (long) counter.invokeExact();
        } catch (Throwable t) { // usually an OutOfMemoryError
            return Long.MAX_VALUE;
        }
    }

    /** Loads the classes, and makes the number available. */
    public void load() {
        try {
            MethodHandle found = find();
            if (count(found) >= 0) { // negative if the threads of the JVM have no carrier threads
                counter = found;
            }
        } catch (ReflectiveOperationException | LinkageError e) {
            return; // threads are assumed to wait
        }
    }

    private static MethodHandle find() throws ReflectiveOperationException {
        Class<?> type = Class.forName("jdk.management.VirtualThreadSchedulerMXBean");
        Object bean = Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getPlatformMXBean", Class.class)
                .invoke(null, type);
        return MethodHandles.publicLookup()
                .findVirtual(type, "getQueuedVirtualThreadCount", MethodType.methodType(long.class))
                .bindTo(bean);
    }
}
