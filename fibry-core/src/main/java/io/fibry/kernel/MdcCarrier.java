package io.fibry.kernel;

import io.fibry.ContextCarrier;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Carries the map of SLF4J's MDC. */
public final class MdcCarrier implements ContextCarrier {

    public static final ContextCarrier INSTANCE = new MdcCarrier();

    private static final Captured EMPTY = () -> attached(null);

    private static final Attached TO_CLEAR = MDC::clear;

    private MdcCarrier() {}

    @Override
    public Captured capture() {
        Map<String, String> now = MDC.getCopyOfContextMap();
        return isEmpty(now) ? EMPTY : () -> attached(now);
    }

    private static Attached attached(@Nullable Map<String, String> wanted) {
        Map<String, String> before = MDC.getCopyOfContextMap();
        set(wanted);
        return isEmpty(before) ? TO_CLEAR : () -> set(before);
    }

    private static void set(@Nullable Map<String, String> map) {
        if (map == null) {
            MDC.clear();
        } else {
            MDC.setContextMap(map);
        }
    }

    private static boolean isEmpty(@Nullable Map<String, String> map) {
        return map == null || map.isEmpty();
    }
}
