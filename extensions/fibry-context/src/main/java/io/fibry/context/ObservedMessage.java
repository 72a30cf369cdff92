package io.fibry.context;

import io.fibry.ContextCarrier.Attached;
import io.micrometer.observation.Observation;
import java.util.function.Supplier;

/** An observation of the message that is being handled, and the scope in which its handler runs. */
final class ObservedMessage implements Attached {

    private final Observation observation;
    private final Observation.Scope scope;

    private ObservedMessage(Observation observation, Observation.Scope scope) {
        this.observation = observation;
        this.scope = scope;
    }

    @SuppressWarnings("MustBeClosedChecker") // the caller closes the result, and with it the scope
    static Attached start(Observation observation) {
        observation.start();
        try {
            return new ObservedMessage(observation, observation.openScope());
        } catch (Throwable t) {
            observation.stop();
            throw t;
        }
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
            observation.stop();
        }
    }

    /** Attaches one context inside another one. */
    static Attached inside(Attached outer, Supplier<Attached> attachment) {
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
            public void close() {
                try {
                    inner.close();
                } finally {
                    outer.close();
                }
            }
        };
    }
}
