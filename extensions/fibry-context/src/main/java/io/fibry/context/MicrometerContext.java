package io.fibry.context;

import io.fibry.ContextCarrier;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;

/**
 * Propagates the contexts that are registered with Micrometer's context-propagation: each thread-local with a
 * {@link io.micrometer.context.ThreadLocalAccessor}, for instance Micrometer's observations, and with them traces of
 * OpenTelemetry or Brave.
 *
 * <pre>{@code
 * var system = ActorSystem.create(SystemOptions.defaults().context(MicrometerContext.carrier()));
 * }</pre>
 */
public final class MicrometerContext {

    private MicrometerContext() {}

    /** Returns a carrier for the global {@link io.micrometer.context.ContextRegistry}. */
    public static ContextCarrier carrier() {
        return carrier(ContextSnapshotFactory.builder().clearMissing(true).build());
    }

    /**
     * Returns a carrier for the contexts captured by a factory. The factory must be built with
     * {@code clearMissing(true)}: otherwise a handler keeps values of its thread that the sender does not have.
     */
    public static ContextCarrier carrier(ContextSnapshotFactory factory) {
        return () -> {
            ContextSnapshot snapshot = factory.captureAll();
            return () -> snapshot.setThreadLocals()::close;
        };
    }
}
