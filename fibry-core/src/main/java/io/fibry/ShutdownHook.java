package io.fibry;

import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Closes systems when the JVM is told to end, for instance by SIGTERM. */
final class ShutdownHook {

    private static final Map<LocalSystem, Thread> HOOKS = new ConcurrentHashMap<>();

    /** From the deadline to the end of the JVM, if handlers heed no interrupt: time to interrupt them, and to say where they stand. */
    private static final Duration PATIENCE = Closing.GRACE.multipliedBy(3);

    private ShutdownHook() {}

    /** Once for each system; the first deadline counts. */
    static void add(LocalSystem system, Duration deadline) {
        HOOKS.computeIfAbsent(
                system,
                s -> { // one step for who removes it meanwhile
                    var hook = Thread.ofPlatform().name("fibry-shutdown").unstarted(() -> close(s, deadline));
                    Runtime.getRuntime().addShutdownHook(hook);
                    return hook;
                });
    }

    /** The JVM waits for this; an actor that is stuck must not keep it from its end. */
    private static void close(LocalSystem system, Duration deadline) {
        Thread closer = Thread.ofPlatform().daemon().name("fibry-close").start(() -> system.close(deadline));
        try {
            closer.join(Duration.ofNanos(Durations.nanos(deadline)).plus(PATIENCE));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // whoever interrupts the JVM's own hooks wants it to end now
        }
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
