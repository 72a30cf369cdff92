package io.fibry.context;

import io.fibry.ContextCarrier;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;

/**
 * Carries what is registered with Micrometer's context-propagation: each thread-local for which there is a
 * {@link io.micrometer.context.ThreadLocalAccessor}, such as those of Micrometer's observations, and so of tracing with OpenTelemetry or
 * Brave.
 *
 * <pre>{@code
 * var system = ActorSystem.create(SystemOptions.defaults().context(MicrometerContext.carrier()));
 * }</pre>
 */
public final class MicrometerContext {

    private MicrometerContext() {}

    /** Carries what is registered with the {@link io.micrometer.context.ContextRegistry} of the program. */
    public static ContextCarrier carrier() {
        return carrier(ContextSnapshotFactory.builder().clearMissing(true).build());
    }

    /**
     * Carries what this factory captures. It has to be made with {@code clearMissing(true)}: otherwise a handler keeps what its thread has and the
     * sender has not.
     */
    public static ContextCarrier carrier(ContextSnapshotFactory factory) {
        return () -> {
            ContextSnapshot snapshot = factory.captureAll();
            return () -> snapshot.setThreadLocals()::close;
        };
    }
}
