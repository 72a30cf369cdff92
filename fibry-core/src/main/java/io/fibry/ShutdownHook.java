package io.fibry;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Closes systems when the JVM is told to end, for instance by SIGTERM. */
final class ShutdownHook {

    private static final Map<LocalSystem, Thread> HOOKS = new ConcurrentHashMap<>();

    private ShutdownHook() {}

    /** Once for each system; the first deadline counts. */
    static void add(LocalSystem system, Duration deadline) {
        HOOKS.computeIfAbsent(
                system,
                s -> { // one step for who removes it meanwhile
                    var hook = Thread.ofPlatform().name("fibry-shutdown").unstarted(() -> s.close(deadline));
                    Runtime.getRuntime().addShutdownHook(hook);
                    return hook;
                });
    }

    /** The system is closed. */
    static void remove(LocalSystem system) {
        Thread hook = HOOKS.remove(system);
        if (hook != null && hook != Thread.currentThread()) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                return; // the JVM is ending, and the hook with it: a closed system is closed at once
            }
        }
    }
}
