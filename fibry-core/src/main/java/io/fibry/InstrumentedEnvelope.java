package io.fibry;

import io.fibry.flight.WaitEvent;
import org.jspecify.annotations.Nullable;

/** A message with what {@link Instruments} have added to it. */
final class InstrumentedEnvelope extends Envelope {

    /** When the message was sent; null if that is not recorded. */
    final @Nullable WaitEvent wait;

    InstrumentedEnvelope(Object message, @Nullable Reply<?> reply, @Nullable WaitEvent wait) {
        super(message, reply);
        this.wait = wait;
    }

    /** The copy waits anew: it is stashed while it is handled. */
    @Override
    Envelope copy() {
        return Instruments.envelope(message, reply);
    }
}
