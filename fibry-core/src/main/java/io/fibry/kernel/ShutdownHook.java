package io.fibry.kernel;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Closes systems when the JVM shuts down, for instance after SIGTERM. */
final class ShutdownHook {

    /**
     * Orders a removal after the registration of the hook. A map's bin lock must not be held, since the JDK locks its
     * hooks.
     */
    private static final ReentrantLock LOCK = new ReentrantLock();

    private static final Map<LocalSystem, Thread> HOOKS = new HashMap<>(); // guarded by the lock

    private ShutdownHook() {}

    /** Registers a hook, once for each system. The first deadline applies. */
    static void add(LocalSystem system, Duration deadline) {
        LOCK.lock();
        try {
            if (!HOOKS.containsKey(system)) {
                var hook = Thread.ofPlatform().name("fibry-shutdown").unstarted(() -> system.close(deadline));
                Runtime.getRuntime().addShutdownHook(hook);
                HOOKS.put(system, hook);
            }
        } finally {
            LOCK.unlock();
        }
    }

    /** Removes the hook of a closed system. */
    static void remove(LocalSystem system) {
        Thread hook = taken(system);
        if (hook != null && hook != Thread.currentThread()) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                return; // the JVM is shutting down; close of a closed system returns at once
            }
        }
    }

    private static @Nullable Thread taken(LocalSystem system) {
        LOCK.lock();
        try {
            return HOOKS.remove(system);
        } finally {
            LOCK.unlock();
        }
    }
}
