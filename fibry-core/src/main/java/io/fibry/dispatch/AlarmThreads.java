package io.fibry.dispatch;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The platform threads that run the actions of alarms. Virtual threads would not do: on Java 21, handlers that wait inside
 * {@code synchronized} keep all carrier threads, and no timeout would fire. The clock's own thread would not do either, since
 * some actions run code of users, which may block.
 *
 * <p>Usually there is one thread, which ends after a second without work. Whenever no thread has taken an action from the queue
 * for a while, because those at work block, there is one more thread.
 *
 * <p><b>No action is missed.</b> An action is queued under the lock. A thread that ends decides that under the lock, with an
 * empty queue. So an action that comes later finds no thread, and starts one. A thread that dies by an error starts its
 * successor.
 *
 * <p><b>The clock's thread.</b> The JDK does not replace it if it dies, and then no timeout of the JVM fires any more. So nothing
 * that runs on it may throw, and nothing here allocates there but threads and their checks, which are left out or repeated.
 */
final class AlarmThreads {

    /** An action and its place in the queue. Made when the alarm is set, so that nothing is allocated when it fires. */
    static final class Task {
        private final Runnable action;
        private @Nullable Task next;

        Task(Runnable action) {
            this.action = action;
        }
    }

    private static final int MOST_THREADS = 256;
    private static final long KEEP_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long PATIENCE_NANOS = Duration.ofMillis(10).toNanos();
    private static final long OUT_OF_MEMORY_PAUSE_NANOS = Duration.ofMillis(1).toNanos();

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition QUEUED = LOCK.newCondition();

    private static @Nullable Task first; // guarded by the lock, as are all others
    private static @Nullable Task last;
    private static int queued;
    private static int threads;
    private static int idle;
    private static boolean checkIsDue;
    private static @Nullable Task firstAtCheck;

    private AlarmThreads() {}

    /** Runs the action on one of the threads. Called by the clock's thread. */
    static void run(Task task) {
        LOCK.lock();
        try {
            add(task);
            if (threads == 0) {
                startThread();
            } else {
                QUEUED.signal();
            }
            if (queued > idle && !checkIsDue) {
                checkLaterOrStartNow();
            }
        } finally {
            LOCK.unlock();
        }
    }

    private static void add(Task task) {
        if (last == null) {
            first = task;
        } else {
            last.next = task;
        }
        last = task;
        queued++;
    }

    /** Throws no {@link OutOfMemoryError}, since that would end the clock's thread: the check is left out instead. */
    private static void checkLaterOrStartNow() {
        try {
            checkLater();
        } catch (OutOfMemoryError e) {
            if (threads < MOST_THREADS) {
                startThread();
            }
        }
    }

    private static void checkLater() {
        new Alarm().startBrief(PATIENCE_NANOS, AlarmThreads::check);
        checkIsDue = true;
        firstAtCheck = first;
    }

    /** Starts another thread if no action was taken since the last check. */
    private static void check() {
        LOCK.lock();
        try {
            checkIsDue = false;
            if (first != null) {
                if (firstAtCheck != null && threads < MOST_THREADS) {
                    startThread();
                }
                checkLaterOrStartNow();
            }
        } finally {
            LOCK.unlock();
        }
    }

    /** Under the lock. Without any thread nobody would run the actions, so this retries after an {@link OutOfMemoryError}. */
    private static void startThread() {
        while (true) {
            try {
                Thread.ofPlatform()
                        .name("fibry-timeouts")
                        .daemon()
                        .inheritInheritableThreadLocals(false)
                        .start(AlarmThreads::work);
                threads++;
                return;
            } catch (OutOfMemoryError e) {
                if (threads > 0) {
                    return;
                }
                LockSupport.parkNanos(OUT_OF_MEMORY_PAUSE_NANOS);
            }
        }
    }

    // ---- the threads

    private static void work() {
        boolean ended = false;
        try {
            while (runNext()) {
                Thread.interrupted(); // left by the action, and meant for no other
            }
            ended = true;
        } finally {
            if (!ended) {
                replace();
            }
        }
    }

    private static boolean runNext() {
        Task task = next();
        if (task != null) {
            run(task.action);
        }
        return task != null;
    }

    /** Repeats an action that runs out of memory, as {@link Alarm} does: nobody else would end a backoff, or fail an ask. */
    private static void run(Runnable action) {
        boolean done = false;
        while (!done) {
            try {
                action.run();
                done = true;
            } catch (OutOfMemoryError e) {
                OutOfMemory.pause();
            } catch (Throwable t) {
                done = true;
                Thread self = Thread.currentThread();
                self.getUncaughtExceptionHandler().uncaughtException(self, t);
            }
        }
    }

    /** The next action. Null if there was none for a while: then this thread has to end. */
    private static @Nullable Task next() {
        LOCK.lock();
        try {
            while (first == null) {
                if (!isWoken()) {
                    threads--;
                    return null;
                }
            }
            Task task = first;
            first = task.next;
            if (first == null) {
                last = null;
            }
            queued--;
            firstAtCheck = null; // keeps nothing, and tells that there is progress
            return task;
        } finally {
            LOCK.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the caller has the loop
    private static boolean isWoken() {
        idle++;
        try {
            return QUEUED.awaitNanos(KEEP_NANOS) > 0 || first != null;
        } catch (InterruptedException e) {
            return true; // nobody interrupts these threads on purpose: looks again
        } finally {
            idle--;
        }
    }

    private static void replace() {
        LOCK.lock();
        try {
            threads--;
            if (first != null) {
                startThread();
            }
        } finally {
            LOCK.unlock();
        }
    }
}
