package io.fibry.dispatch;

import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;

/**
 * The MDC of a thread that runs several actors, in sequence or on the same stack. It isolates the entries of each
 * actor. The system's {@code ContextCarrier} decides whether a handler sees its sender's MDC.
 *
 * <p>With a logger without MDC, each call is one check of the adapter. With an MDC, it is one check of the thread's
 * map, as long as the map is empty. A copy that runs out of memory is repeated: the caller holds an actor.
 */
final class LogContext {

    private static final Function<MDCAdapter, Map<String, String>> COPY = LogContext::copy;
    private static final Consumer<Map<String, String>> RESTORE = MDC::setContextMap;

    static {
        isAvailable(); // initializes the MDC while there is memory for it
    }

    private LogContext() {}

    /** Removes and returns the calling thread's MDC. Null if it is empty. */
    static @Nullable Map<String, String> take() {
        if (!isAvailable()) {
            return null;
        }
        Map<String, String> map = OutOfMemory.get(COPY, MDC.getMDCAdapter());
        if (map.isEmpty()) {
            return null;
        }
        MDC.clear();
        return map;
    }

    private static Map<String, String> copy(MDCAdapter adapter) {
        Map<String, String> map = adapter.getCopyOfContextMap();
        return map == null ? Map.of() : map;
    }

    /** Restores an MDC, in place of the current one. */
    static void putBack(@Nullable Map<String, String> taken) {
        clear();
        if (taken != null) {
            OutOfMemory.repeat(RESTORE, taken);
        }
    }

    /** Clears the MDC of the calling thread, unless it is empty: clearing an empty one may be expensive. */
    static void clear() {
        take();
    }

    private static boolean isAvailable() {
        try {
            return !(MDC.getMDCAdapter() instanceof NOPMDCAdapter);
        } catch (OutOfMemoryError | LinkageError e) { // not initialized, so it has no entries; nor may this class fail
            return false;
        }
    }
}
