package io.fibry.context;

import io.fibry.ContextCarrier.Attached;
import io.fibry.ContextCarrier.Captured;
import io.micrometer.observation.Observation;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An observation of the message that is being handled, and the scope in which its handler runs. */
final class ObservedMessage implements Attached {

    private final Observation observation;
    private final Observation.Scope scope;

    private ObservedMessage(Observation observation, Observation.Scope scope) {
        this.observation = observation;
        this.scope = scope;
    }

    static Attached start(Observation observation) {
        observation.start();
        try {
            return open(observation);
        } catch (Throwable t) {
            MessageObservationContext.stop(observation);
            throw t;
        }
    }

    @SuppressWarnings("MustBeClosedChecker") // the caller closes the result, and with it the scope
    private static Attached open(Observation observation) {
        return new ObservedMessage(observation, observation.openScope());
    }

    @Override
    public void failed(Throwable failure) {
        observation.error(failure);
    }

    @Override
    public void close() {
        try {
            scope.close();
        } finally {
            MessageObservationContext.stop(observation);
        }
    }

    /** The observation goes on while the handler is suspended. */
    @Override
    public Captured suspend() {
        scope.close();
        return () -> open(observation);
    }

    /** Attaches one context inside another one. */
    static Attached inside(Captured context, Supplier<Attached> attachment) {
        Attached outer = context.attach();
        Attached inner;
        try {
            inner = attachment.get();
        } catch (Throwable t) {
            outer.close();
            throw t;
        }
        return new Attached() {
            @Override
            public void failed(Throwable failure) {
                inner.failed(failure);
            }

            @Override
            public @Nullable Captured suspend() {
                Captured innerRest = null;
                Captured outerRest;
                try {
                    innerRest = inner.suspend();
                } finally {
                    outerRest = outer.suspend();
                }
                return rest(context, outerRest, attachment, innerRest);
            }

            @Override
            public void close() {
                try {
                    inner.close();
                } finally {
                    outer.close();
                }
            }
        };
    }

    private static @Nullable Captured rest(
            Captured outer, @Nullable Captured outerRest, Supplier<Attached> inner, @Nullable Captured innerRest) {
        if (outerRest == null && innerRest == null) {
            return null;
        }
        Captured around = outerRest == null ? outer : outerRest;
        return () -> inside(around, innerRest == null ? inner : innerRest::attach);
    }
}
