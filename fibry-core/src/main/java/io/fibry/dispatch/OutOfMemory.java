package io.fibry.dispatch;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reaction of the kernel to an {@link OutOfMemoryError}. Memory is often exhausted only briefly: other threads
 * release memory, or fail and end. A step that must not be skipped is {@linkplain #repeat repeated} until it succeeds,
 * with a pause between two attempts.
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
     * Runs a step, and repeats it while it runs out of memory. Any other exception of the step is thrown.
     *
     * @param step a constant of the calling class, since the evaluation of a lambda expression may need memory. Must be
     *     safe to repeat after it has run in part
     */
    public static <T> void repeat(Consumer<? super T> step, T argument) {
        repeat(step, step, argument);
    }

    /** As {@link #repeat(Consumer, Object)}, but runs {@code again} instead of the step in all further attempts. */
    public static <T> void repeat(Consumer<? super T> step, Consumer<? super T> again, T argument) {
        Consumer<? super T> next = step;
        while (true) {
            try {
                next.accept(argument);
                return;
            } catch (OutOfMemoryError e) {
                pause();
                next = again;
            }
        }
    }

    /** Runs a step with two arguments, as {@link #repeat(Consumer, Object)} does. */
    public static <T, U extends @Nullable Object> void repeat(
            BiConsumer<? super T, ? super U> step, T first, U second) {
        while (true) {
            try {
                step.accept(first, second);
                return;
            } catch (OutOfMemoryError e) {
                pause();
            }
        }
    }

    /** Runs a step, as {@link #repeat(Consumer, Object)} does, and returns its result. */
    public static <T, R> R get(Function<? super T, ? extends R> step, T argument) {
        while (true) {
            try {
                return step.apply(argument);
            } catch (OutOfMemoryError e) {
                pause();
            }
        }
    }

    /**
     * Pauses briefly before the next attempt. A virtual thread yields, because the JDK may lose a virtual thread that
     * begins a timed wait while memory is exhausted.
     */
    public static void pause() {
        note();
        if (Thread.currentThread().isVirtual()) {
            yieldOrSpin();
        } else {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Yields. A virtual thread needs memory for its stack then; if there is none, it spins. */
    public static void yieldOrSpin() {
        try {
            Thread.yield();
        } catch (OutOfMemoryError e) {
            Thread.onSpinWait();
        }
    }
}
