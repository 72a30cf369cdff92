package io.fibry.cluster.pekko;

import com.typesafe.config.Config;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;

/**
 * Runs an actor on the sender's thread if the actor is not running. It serves actors that only forward messages and
 * never wait, and saves a thread switch per message.
 */
public final class SameThread extends ExecutorServiceConfigurator {

    /** Called by Pekko, which finds this class by the name in {@code cluster.conf}. */
    public SameThread(Config config, DispatcherPrerequisites prerequisites) {
        super(config, prerequisites);
    }

    @Override
    public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threads) {
        return new ExecutorServiceFactory() {
            @Override
            public ExecutorService createExecutorService() {
                return executor();
            }
        };
    }

    static ExecutorService executor() {
        return new Executor();
    }

    /**
     * Runs tasks on the caller's thread. A task that is submitted by a running task runs after it, which bounds the
     * stack depth.
     */
    private static final class Executor extends AbstractExecutorService {

        private static final ThreadLocal<Queue<Runnable>> RUNNING = new ThreadLocal<>();

        private volatile boolean stopped;

        @Override
        public void execute(Runnable task) {
            Queue<Runnable> tasks = RUNNING.get();
            if (tasks != null) {
                tasks.add(task);
                return;
            }
            tasks = new ArrayDeque<>(List.of(task));
            RUNNING.set(tasks);
            try {
                runAll(tasks);
            } finally {
                RUNNING.remove();
            }
        }

        /** Runs all tasks. The failure of a task does not prevent the others from running. */
        private static void runAll(Queue<Runnable> tasks) {
            for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
                try {
                    next.run();
                } catch (Throwable e) {
                    runAll(tasks);
                    throw e;
                }
            }
        }

        @Override
        public void shutdown() {
            stopped = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            stopped = true;
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return stopped;
        }

        @Override
        public boolean isTerminated() {
            return stopped;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return stopped;
        }
    }
}
