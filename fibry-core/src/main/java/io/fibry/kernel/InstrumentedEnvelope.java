package io.fibry.kernel;

import io.fibry.ContextCarrier.Captured;
import io.fibry.flight.QueueTimeEvent;
import org.jspecify.annotations.Nullable;

/** A message with the data added by {@link Instrumentation}. */
class InstrumentedEnvelope extends Envelope {

    /** The context of the sender; null if the system has no carrier. */
    final @Nullable Captured context;

    /** The event that began when the message was sent; null if it is not recorded. */
    final @Nullable QueueTimeEvent wait;

    /** The sender, for the trace of a controlled test; null otherwise. */
    final @Nullable Object sender;

    InstrumentedEnvelope(
            Object message,
            @Nullable Reply<?> reply,
            @Nullable Captured context,
            @Nullable QueueTimeEvent wait,
            @Nullable Object sender) {
        super(message, reply);
        this.context = context;
        this.wait = wait;
        this.sender = sender;
    }

    /** Starts a new wait event, since the copy is stashed during its handling. Keeps the context of the sender. */
    @Override
    Envelope copy() {
        return Instrumentation.copy(this);
    }
}
