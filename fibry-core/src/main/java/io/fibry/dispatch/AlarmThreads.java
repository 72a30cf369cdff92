package io.fibry.dispatch;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The platform threads that run the actions of alarms. Virtual threads are not suitable: on Java 21, handlers that wait
 * inside {@code synchronized} may pin all carrier threads, and no timeout would fire. The timer thread is not suitable
 * either, since some actions run user code, which may block.
 *
 * <p>Usually there is one thread, which ends after a second without work. Whenever no thread has taken an action from
 * the queue for a while, because the running actions block, another thread is started.
 *
 * <p><b>No action is missed.</b> An action is queued under the lock. A thread decides to end under the lock, with an
 * empty queue. A later action then finds no thread, and starts one. A thread that ends by an error starts its
 * successor.
 *
 * <p><b>The timer thread.</b> The JDK does not replace it if it ends by an error, and no timeout of the JVM then fires
 * any longer. Code that runs on it must therefore not throw. The only allocations there are threads and their checks,
 * which are skipped or repeated if memory runs out.
 */
final class AlarmThreads {

    /** An action and its node in the queue. Created when the alarm is set, so that none is allocated when it fires. */
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

    /** Runs the action on one of the threads. Called by the timer thread. */
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

    /** Throws no {@link OutOfMemoryError}, which would end the timer thread: the check is skipped instead. */
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

    /** Starts a thread. Under the lock. Retries after an {@link OutOfMemoryError} if there is no other thread. */
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
                Thread.interrupted(); // the interrupt status must not reach the next action
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

    /**
     * Repeats an action that runs out of memory, as in {@link Alarm}: no other code would end a backoff, or fail an
     * ask.
     */
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

    /** The next action. Null if there was none for a while: the thread then has to end. */
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
            firstAtCheck = null; // retains no task, and indicates progress
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
            return true; // these threads are not interrupted intentionally: checks again
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
