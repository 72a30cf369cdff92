package io.fibry.kernel;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The taps of a system, which are added and removed while it runs. */
final class Taps {

    private final AtomicReference<@Nullable Sampling> sampling = new AtomicReference<>();

    /**
     * Null if there are no taps. A plain read, because it precedes every message while some system is sampled: a thread
     * may see a change with a short delay.
     */
    @Nullable
    Sampling sampling() {
        return sampling.getPlain();
    }

    AutoCloseable add(Sampling.Tap tap) {
        if (sampling.getAndUpdate(old -> Sampling.with(old, tap)) == null) {
            Instrumentation.beginSampling();
        }
        return () -> remove(tap);
    }

    /** Called once or more: the counts of {@link Instrumentation} follow the changes from null and to null. */
    private void remove(Sampling.Tap tap) {
        Sampling old = sampling.getAndUpdate(taps -> Sampling.without(taps, tap));
        if (old != null && Sampling.without(old, tap) == null) {
            Instrumentation.endSampling();
        }
    }
}
