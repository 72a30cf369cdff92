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
 * <p>The timer thread calls {@link #run}, which therefore throws nothing. It allocates nothing but threads, and retries
 * if memory runs out.
 */
final class AlarmThreads {

    private static final int MOST_THREADS = 256;
    private static final long KEEP_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long PATIENCE_NANOS = Duration.ofMillis(10).toNanos();
    private static final long OUT_OF_MEMORY_PAUSE_NANOS = Duration.ofMillis(1).toNanos();

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition QUEUED = LOCK.newCondition();

    // Constants, because the JVM may not retry to link a lambda that has run out of memory. A check allocates nothing.
    private static final Runnable WORK = AlarmThreads::work;
    private static final Runnable CHECK_ACTION = AlarmThreads::check;
    private static final Alarm CHECK = new Alarm();

    private static @Nullable Alarm first; // guarded by the lock, as are all others
    private static @Nullable Alarm last;
    private static int queued;
    private static int threads;
    private static int idle;
    private static boolean checkIsDue;
    private static @Nullable Alarm firstAtCheck;

    private AlarmThreads() {}

    /** Runs the action on one of the threads. Called by the timer thread. */
    static void run(Alarm alarm) {
        LOCK.lock();
        try {
            add(alarm);
            if (threads == 0) {
                startThread();
            } else {
                QUEUED.signal();
            }
            if (queued > idle && !checkIsDue) {
                checkLater();
            }
        } finally {
            LOCK.unlock();
        }
    }

    private static void add(Alarm alarm) {
        if (last == null) {
            first = alarm;
        } else {
            last.next = alarm;
        }
        last = alarm;
        queued++;
    }

    private static void checkLater() {
        checkIsDue = true;
        firstAtCheck = first;
        CHECK.startBrief(PATIENCE_NANOS, CHECK_ACTION);
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
                checkLater();
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
                        .start(WORK);
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
        Alarm alarm = next();
        if (alarm != null) {
            alarm.run();
        }
        return alarm != null;
    }

    /** The next alarm. Null if there was none for a while: the thread then has to end. */
    private static @Nullable Alarm next() {
        LOCK.lock();
        try {
            while (first == null) {
                if (!isWoken()) {
                    threads--;
                    return null;
                }
            }
            Alarm alarm = first;
            first = alarm.next;
            alarm.next = null;
            if (first == null) {
                last = null;
            }
            queued--;
            firstAtCheck = null; // retains no alarm, and indicates progress
            return alarm;
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
