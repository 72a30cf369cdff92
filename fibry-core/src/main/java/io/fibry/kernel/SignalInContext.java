package io.fibry.kernel;

import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.ActorThread;
import org.jspecify.annotations.Nullable;

/** A signal with a context. */
record SignalInContext(Signal signal, Captured context) implements Signal {

    @Override
    public void deliver(ActorThread runner) throws Exception {
        signal.deliver(runner);
    }

    @Override
    public String toString() {
        return signal.toString();
    }

    @Override
    public Object delivered() {
        return signal.delivered();
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
