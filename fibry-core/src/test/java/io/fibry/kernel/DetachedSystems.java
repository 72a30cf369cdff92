package io.fibry.kernel;

import io.fibry.SystemOptions;
import io.fibry.ThreadStrategy;
import java.util.concurrent.Executor;

/**
 * Systems for tests that decide themselves when a worker runs. They never become quiescent, and must not keep the JVM
 * alive.
 */
public final class DetachedSystems {

    private DetachedSystems() {}

    public static LocalSystem system() {
        return unwatched(new LocalSystem(SystemOptions.defaults()));
    }

    public static LocalSystem system(Executor workerThreads) {
        return unwatched(new LocalSystem(ThreadStrategy.virtual(), workerThreads, 1));
    }

    /** Runs code on another thread, for instance a worker while the calling one is blocked, and waits for its end. */
    static void runElsewhere(Runnable code) {
        try {
            Thread.ofPlatform().start(code).join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static LocalSystem unwatched(LocalSystem system) {
        system.setWatched(true); // prevents the registration with the keep-alive watch
        return system;
    }
}
