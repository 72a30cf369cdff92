package io.fibry.durable;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Runs each task on the thread that submits it. Thread-safe. */
final class CallerThread extends AbstractExecutorService {

    private volatile boolean isShutdown;

    @Override
    public void execute(Runnable task) {
        if (isShutdown) {
            throw new RejectedExecutionException("shut down");
        }
        task.run();
    }

    @Override
    public void shutdown() {
        isShutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown();
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return isShutdown;
    }

    @Override
    public boolean isTerminated() {
        return isShutdown;
    }

    /** A task may still run on the thread of another caller. */
    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isShutdown;
    }
}
