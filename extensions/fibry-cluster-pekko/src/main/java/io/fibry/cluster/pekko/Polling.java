package io.fibry.cluster.pekko;

import io.fibry.dispatch.LogLimit;
import io.fibry.dispatch.OutOfMemory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task about once per second, and a last task at the end. A failure of the task is logged, and the task is
 * repeated. The thread is a platform thread, since drivers of databases may pin a virtual one. It is never interrupted,
 * because an interrupt would close the file of an H2 database.
 */
final class Polling {

    /** A task that may block. */
    interface Task {
        void run() throws Exception;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Polling.class);

    private static final long PERIOD_MILLIS = 1_000;

    private final String what;
    private final Task task;
    private final Task last;
    private final LogLimit limit = new LogLimit();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable Throwable problem;

    private Polling(String what, Task task, Task last) {
        this.what = what;
        this.task = task;
        this.last = last;
        thread = Thread.ofPlatform().daemon().name("fibry-discovery").unstarted(this::run);
    }

    /**
     * @param what the task, for log messages
     * @param last runs at the end, after the task
     */
    static Polling start(String what, Task task, Task last) {
        var polling = new Polling(what, task, last);
        polling.thread.start();
        return polling;
    }

    private void run() {
        boolean goesOn = true;
        while (goesOn) {
            run(task);
            goesOn = !hasEnded();
        }
        run(last);
    }

    /** Waits for the end of the repetition or of the period. Clears an interrupt status that the task has left. */
    private boolean hasEnded() {
        boolean ignored = Thread.interrupted();
        try {
            return ended.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            LOG.debug("An interrupt of this thread is ignored", e);
            return false;
        }
    }

    private void run(Task next) {
        try {
            next.run();
            problem = null;
        } catch (OutOfMemoryError e) {
            problem = e;
            OutOfMemory.note();
        } catch (Throwable e) {
            problem = e;
            if (limit.tryLog()) {
                LOG.warn("{} has failed", what, e);
            }
        }
    }

    /** Returns the failure of the latest run; null if it has succeeded or has not ended yet. */
    @Nullable
    Throwable problem() {
        return problem;
    }

    /** Ends the repetition. */
    void end() {
        ended.countDown();
    }

    /** Waits until the last task has run, at most for this time. */
    void awaitEnd(long millis) throws InterruptedException {
        thread.join(millis);
    }
}
