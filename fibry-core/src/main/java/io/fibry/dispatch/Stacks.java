package io.fibry.dispatch;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Takes stack traces of other threads. This is the only class of the library that calls {@link Thread#getStackTrace} of
 * another thread.
 *
 * <p><b>Problem.</b> For a virtual thread, {@code getStackTrace} retries until the thread is mounted or parked. The JDK
 * loses a virtual thread if memory runs out while it schedules the end of the thread's timed wait: the thread stays
 * between the two states, and {@code getStackTrace} never returns. A close, a dump and a timeout must still return.
 *
 * <p><b>Solution.</b> The stack of a virtual thread is taken by a platform thread, and the caller waits for at most
 * {@link #LIMIT_NANOS}. A helper that exceeds the limit cannot be stopped, and uses processor time from then on. There
 * are therefore at most {@value #HELPERS} helpers. If all of them have exceeded the limit, callers receive
 * {@link #NO_STACK} until one returns. After memory has run out, a virtual thread that stays runnable without a carrier
 * thread may be lost, and its stack is not requested at all.
 *
 * <p><b>A helper that returns late is reused.</b> The caller first records the request as {@code late} and then reads
 * whether it is done. {@code done} is called after the request has become done, and clears the record. If the read sees
 * a request that is not done, the call of {@code done} comes after the record. A helper runs one request at a time, and
 * only a started request is recorded, so no record replaces another one.
 */
public final class Stacks {

    /** A placeholder for a stack that cannot be taken. */
    private static final StackTraceElement NO_STACK = new StackTraceElement(
            "java.lang.VirtualThread", "noStack", "the thread is runnable but has no carrier thread", -1);

    static final int HELPERS = 2;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Memory required before a trace, once memory has run out: if the trace itself runs out of memory, the JDK may lose
     * the thread.
     */
    private static final int ROOM = 1 << 16;

    private static final int LOOKS = 100;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final Stacks SHARED = new Stacks(LIMIT_NANOS);

    private final List<Helper> helpers = List.of(new Helper(), new Helper());
    private final long limitNanos;

    Stacks(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    /**
     * Returns the stack trace of a thread. If it cannot be taken, returns an array with {@link #NO_STACK} as its only
     * element.
     *
     * @throws OutOfMemoryError if there is not enough memory
     */
    public static StackTraceElement[] of(Thread thread) {
        if (!thread.isVirtual() || thread == Thread.currentThread()) {
            return thread.getStackTrace();
        }
        if (!OutOfMemory.hasOccurred()) {
            return SHARED.take(thread::getStackTrace);
        }
        return SHARED.take(() -> new byte[ROOM].length == 0 || isLost(thread) ? unknown() : thread.getStackTrace());
    }

    /** Whether a thread seems to be lost. Any other runnable thread is mounted on a carrier thread soon. */
    private static boolean isLost(Thread thread) {
        for (int i = 0; i < LOOKS; i++) {
            if (thread.getState() != Thread.State.RUNNABLE || carrier(thread) != null) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    private static StackTraceElement[] unknown() {
        return new StackTraceElement[] {NO_STACK};
    }

    /**
     * The name of the carrier thread that a virtual thread is mounted on; null if there is none. Java has no method for
     * it: the {@code toString} of a virtual thread ends with its state and, if it is mounted, with its carrier.
     */
    static @Nullable String carrier(Thread thread) {
        String text = thread.toString();
        int at = text.indexOf('@', Math.max(0, text.lastIndexOf("]/")));
        return at < 0 ? null : text.substring(at + 1);
    }

    /** Returns the result of a function that takes a stack trace; {@link #NO_STACK} if it does not return in time. */
    StackTraceElement[] take(Callable<StackTraceElement[]> trace) {
        for (Helper helper : helpers) {
            if (helper.late == null) {
                return helper.take(trace, limitNanos);
            }
        }
        return unknown();
    }

    /** A platform thread, which ends after a second without requests. */
    private static final class Helper {

        private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform()
                        .name("fibry-stacks")
                        .daemon()
                        .inheritInheritableThreadLocals(false)
                        .factory());

        /** The request that has exceeded the limit and still runs. */
        private volatile @Nullable Request late;

        Helper() {
            thread.allowCoreThreadTimeOut(true);
        }

        StackTraceElement[] take(Callable<StackTraceElement[]> trace, long limitNanos) {
            var request = new Request(this, trace);
            thread.execute(request);
            try {
                return get(request, limitNanos);
            } catch (TimeoutException e) {
                OutOfMemory.note(); // only an OutOfMemoryError loses a thread
                if (request.started) {
                    late = request;
                    if (request.isDone()) {
                        late = null;
                    }
                }
                return unknown();
            }
        }

        /** Waits uninterruptibly, since the wait is short. */
        private static StackTraceElement[] get(Request request, long limitNanos) throws TimeoutException {
            long end = System.nanoTime() + limitNanos;
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        return request.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                    } catch (InterruptedException e) {
                        interrupted = true;
                    } catch (ExecutionException e) {
                        if (e.getCause() instanceof OutOfMemoryError error) {
                            throw error;
                        }
                        return unknown();
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private static final class Request extends FutureTask<StackTraceElement[]> {
        private final Helper helper;
        private volatile boolean started;

        Request(Helper helper, Callable<StackTraceElement[]> trace) {
            super(trace);
            this.helper = helper;
        }

        @Override
        public void run() {
            started = true;
            super.run();
        }

        @Override
        protected void done() {
            if (helper.late == this) {
                helper.late = null;
            }
        }
    }
}
