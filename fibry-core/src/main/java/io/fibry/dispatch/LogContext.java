package io.fibry.dispatch;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.slf4j.helpers.NOPMDCAdapter;

/**
 * The MDC of a thread that runs one actor after the other, or one on the stack of another. No actor sees what another one has put
 * there; what a sender's MDC is to a handler, its system's carrier of contexts decides.
 *
 * <p>With a log that has no MDC, each call is one look at the adapter. With one that has, it is one look at the thread's map, as long
 * as nobody puts anything there. If the heap is too full to copy a map, its contents are lost: that is better than to show them to
 * another actor.
 */
final class LogContext {

    static {
        isAvailable(); // has the MDC initialized while there is memory for it
    }

    private LogContext() {}

    /** Takes what is in the calling thread's MDC. Null if it is empty. */
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

    /** Puts back what was taken, in place of what is there now. */
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

    /** Clears the MDC of the calling thread, if there is anything in it: to clear an empty one may be expensive. */
    static void clear() {
        take();
    }

    private static boolean isAvailable() {
        try {
            return !(MDC.getMDCAdapter() instanceof NOPMDCAdapter);
        } catch (OutOfMemoryError | LinkageError e) { // it could not be initialized, so nobody has put anything there
            return false;
        }
    }
}
