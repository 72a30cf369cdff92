package io.fibry;

import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.Runner;
import org.jspecify.annotations.Nullable;

/** A signal with a context. */
record SignalInContext(Signal signal, Captured context) implements Signal {

    @Override
    public void deliver(Runner runner) throws Exception {
        signal.deliver(runner);
    }

    @Override
    public String toString() {
        return signal.toString();
    }

    @Override
    public @Nullable Object lost() {
        return signal.lost();
    }

    @Override
    public void discarded() {
        signal.discarded();
    }

    @Override
    public boolean isMessage() {
        return signal.isMessage();
    }
}
