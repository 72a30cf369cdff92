package io.fibry.testing;

import io.fibry.ContextCarrier;
import java.util.concurrent.atomic.AtomicInteger;

/** A carrier without a context, as if there were no carrier. The capture that a test chooses throws an error. */
public final class FailingContext implements ContextCarrier {

    private final Error error;
    private final AtomicInteger left = new AtomicInteger();

    public FailingContext(Error error) {
        this.error = error;
    }

    /** The capture with this number from now on throws the error, and no other one does; none if the number is 0. */
    public void failAt(int capture) {
        left.set(capture);
    }

    @Override
    public Captured capture() {
        if (left.decrementAndGet() == 0) {
            throw error;
        }
        throw new IllegalStateException("no context");
    }
}
