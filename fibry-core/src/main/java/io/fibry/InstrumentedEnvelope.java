package io.fibry;

import io.fibry.ContextCarrier.Captured;
import io.fibry.flight.WaitEvent;
import org.jspecify.annotations.Nullable;

/** A message with what {@link Instruments} have added to it. */
final class InstrumentedEnvelope extends Envelope {

    /** The context of the sender; null if the system carries none. */
    final @Nullable Captured context;

    /** When the message was sent; null if that is not recorded. */
    final @Nullable WaitEvent wait;

    /** Who sent the message, for the trace of a test; null in all other programs. */
    final @Nullable Object sender;

    InstrumentedEnvelope(
            Object message,
            @Nullable Reply<?> reply,
            @Nullable Captured context,
            @Nullable WaitEvent wait,
            @Nullable Object sender) {
        super(message, reply);
        this.context = context;
        this.wait = wait;
        this.sender = sender;
    }

    /** The copy waits anew: it is stashed while it is handled. Its context stays that of its sender. */
    @Override
    Envelope copy() {
        return Instruments.envelope(context, message, reply);
    }
}
