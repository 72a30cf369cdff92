package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.Latency;
import io.fibry.LatencyListener;

/** Passes measured times to a listener. */
record LatencyTap(LatencyListener listener) implements MessageTap {

    @Override
    public void handled(SampledMessage message, Actor<?> receiver, long waited, long handled, boolean hasFailed) {
        listener.measured(receiver, Latency.Kind.MAILBOX, waited);
        listener.measured(receiver, Latency.Kind.HANDLER, handled);
    }

    @Override
    public void replied(SampledMessage message, Actor<?> receiver, long nanos, boolean hasFailed) {
        listener.measured(receiver, Latency.Kind.ASK, nanos);
    }
}
