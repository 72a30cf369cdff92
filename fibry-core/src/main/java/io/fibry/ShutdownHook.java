package io.fibry;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Closes systems when the JVM shuts down, for instance after SIGTERM. */
final class ShutdownHook {

    private static final Map<LocalSystem, Thread> HOOKS = new ConcurrentHashMap<>();

    private ShutdownHook() {}

    /** Registers a hook, once for each system. The first deadline counts. */
    static void add(LocalSystem system, Duration deadline) {
        // One atomic step, so that a concurrent remove sees either no hook or a registered one.
        HOOKS.computeIfAbsent(system, s -> {
            var hook = Thread.ofPlatform().name("fibry-shutdown").unstarted(() -> s.close(deadline));
            Runtime.getRuntime().addShutdownHook(hook);
            return hook;
        });
    }

    /** Removes the hook of a closed system. */
    static void remove(LocalSystem system) {
        Thread hook = HOOKS.remove(system);
        if (hook != null && hook != Thread.currentThread()) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                return; // the JVM is shutting down; close of a closed system returns at once
            }
        }
    }
}
