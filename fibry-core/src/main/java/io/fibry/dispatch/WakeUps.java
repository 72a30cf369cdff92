package io.fibry.dispatch;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;

/**
 * When the {@link WorkerWatch} wakes up all workers that wait for something: again and again, once memory has run out in this JVM.
 *
 * <p><b>Why.</b> The JDK loses wake-ups when memory runs out. A virtual thread that waits for a socket is woken up by a poller. That
 * is a thread of the JDK, on Linux a virtual one. A poller that runs out of memory ends, and is not replaced: then nobody wakes
 * up those whose sockets it has watched. And a virtual thread for whose stack there is no memory waits without leaving its carrier
 * thread. If all carrier threads are taken in this way, the pollers do not run, and if the handlers that wait keep the memory, it
 * stays like that.
 *
 * <p><b>What it does.</b> A thread that is woken up without a reason looks for what it waits for, and waits again: all that is built
 * on {@link LockSupport} must stand that, and blocking sockets do. So whatever a worker waits for, it finds it after the next pass
 * at the latest.
 *
 * <p><b>While the heap is full.</b> To wake up a virtual thread takes memory, and the JDK waits until there is some, which this thread
 * must not do. So a pass first wakes up those that have kept their carrier thread, by way of that thread, which takes no memory. They
 * may be the ones that release some. The others are woken up only if there is room, for which the pass gives up a piece of the
 * {@linkplain OutOfMemory reserve}. The carrier threads are looked up beforehand, while there is memory.
 *
 * <p><b>What it costs.</b> Until memory runs out, a look for carrier threads once a second, which takes some microseconds. From then on
 * it takes a small part of one processor: the more workers, the longer are the pauses between two passes. It does not stop, since
 * nothing tells whether the pollers are alive.
 */
final class WakeUps {

    /** A pass has at most this part of the time; the threads that it wakes up take some more. */
    private static final int PART = 200;

    /** Long passes are those in which the garbage collector finds nothing; then the next one should come soon. */
    private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(500).toNanos();

    private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(20).toNanos();
    private static final long LONGEST_LOOK_NANOS = Duration.ofSeconds(1).toNanos();

    private static final int WOKEN_AT_ONCE = 128;
    private static final ThreadGroup ALL = root();

    private Thread[] carriers = {};
    private long looked = System.nanoTime();
    private long untilLook;
    private long begun = looked;
    private long pause;
    private int left; // in the present pass, before there has to be room again
    private boolean hasRoom;

    /** Whether a pass begins now. */
    boolean begin() {
        long now = System.nanoTime();
        if (now - looked > untilLook) {
            looked = now;
            lookForCarriers();
        }
        boolean due = OutOfMemory.hasOccurred() && now - begun > pause;
        if (due) {
            begun = now;
            left = 0;
            hasRoom = true;
            for (Thread carrier : carriers) {
                LockSupport.unpark(carrier);
            }
        }
        return due;
    }

    /** Wakes up a worker if there is room. */
    void wake(Worker worker) {
        if (left == 0) {
            hasRoom &= OutOfMemory.hasRoom();
            left = WOKEN_AT_ONCE;
        }
        left--;
        if (hasRoom) {
            worker.wake();
        }
    }

    void end() {
        pause = Math.clamp(PART * (System.nanoTime() - begun), SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS);
    }

    /** Soon again while there are new ones, then once a second. */
    private void lookForCarriers() {
        int before = carriers.length;
        try {
            findCarriers();
            OutOfMemory.restoreReserve();
        } catch (OutOfMemoryError e) {
            OutOfMemory.note(); // those that are known already will do
        }
        untilLook = carriers.length == before ? Math.clamp(2 * untilLook, 1_000_000, LONGEST_LOOK_NANOS) : 0;
    }

    /** Of all fork-join pools, since nothing tells which one is the scheduler of virtual threads; the others are not harmed. */
    private void findCarriers() {
        var all = new Thread[ALL.activeCount() + 16];
        int n = ALL.enumerate(all);
        carriers = Arrays.stream(all, 0, n)
                .filter(ForkJoinWorkerThread.class::isInstance)
                .toArray(Thread[]::new);
    }

    private static ThreadGroup root() {
        ThreadGroup group = Objects.requireNonNull(Thread.currentThread().getThreadGroup());
        for (ThreadGroup parent = group.getParent(); parent != null; parent = group.getParent()) {
            group = parent;
        }
        return group;
    }
}
