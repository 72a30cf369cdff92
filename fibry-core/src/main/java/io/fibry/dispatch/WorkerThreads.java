package io.fibry.dispatch;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Starts the threads of a system's workers. They inherit the context class loader of the thread that has made the
 * system: if a program is started from a single jar with all its libraries, the system class loader cannot load them.
 */
public final class WorkerThreads implements Executor {

    private static final ThreadFactory THREADS = Thread.ofVirtual()
            .name(Worker.THREAD_NAME)
            .inheritInheritableThreadLocals(false)
            .factory();

    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

    @Override
    public void execute(Runnable worker) {
        Thread thread = THREADS.newThread(worker);
        thread.setContextClassLoader(loader);
        thread.start();
    }
}
