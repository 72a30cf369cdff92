package io.fibry.dispatch;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.slf4j.helpers.NOPMDCAdapter;

/**
 * The MDC of a thread that runs several actors, in sequence or on the same stack. It isolates the entries of each
 * actor. The system's {@code ContextCarrier} decides whether a handler sees its sender's MDC.
 *
 * <p>With a logger without MDC, each call is one check of the adapter. With an MDC, it is one check of the thread's
 * map, as long as the map is empty. If memory does not suffice to copy a map, its entries are lost rather than exposed
 * to another actor.
 */
final class LogContext {

    static {
        isAvailable(); // initializes the MDC while there is memory for it
    }

    private LogContext() {}

    /** Removes and returns the calling thread's MDC. Null if it is empty. */
    static @Nullable Map<String, String> take() {
        if (!isAvailable()) {
            return null;
        }
        try {
            Map<String, String> map = MDC.getCopyOfContextMap();
            if (map == null || map.isEmpty()) {
                return null;
            }
            MDC.clear();
            return map;
        } catch (OutOfMemoryError e) {
            MDC.clear();
            return null;
        }
    }

    /** Restores an MDC, in place of the current one. */
    static void putBack(@Nullable Map<String, String> taken) {
        clear();
        if (taken != null) {
            try {
                MDC.setContextMap(taken);
            } catch (OutOfMemoryError e) {
                MDC.clear();
            }
        }
    }

    /** Clears the MDC of the calling thread, unless it is empty: clearing an empty one may be expensive. */
    static void clear() {
        take();
    }

    private static boolean isAvailable() {
        try {
            return !(MDC.getMDCAdapter() instanceof NOPMDCAdapter);
        } catch (OutOfMemoryError | LinkageError e) { // it could not be initialized, so it has no entries
            return false;
        }
    }
}
