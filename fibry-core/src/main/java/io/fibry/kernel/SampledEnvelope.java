package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.ActorThread;
import io.fibry.flight.EventStart;
import org.jspecify.annotations.Nullable;

/** A message that is measured for a {@link MessageTap}. */
final class SampledEnvelope extends InstrumentedEnvelope.WithContext implements SampledMessage {

    /** The random number of the sender: see {@link Sampling}. */
    private final long draw;

    private final @Nullable Actor<?> sentBy;
    private final long sent = System.nanoTime();

    SampledEnvelope(
            Object message,
            @Nullable Reply<?> reply,
            @Nullable EventStart wait,
            @Nullable Captured context,
            @Nullable Object sender,
            long draw) {
        this(message, reply, wait, context, sender, draw, currentActor());
    }

    private SampledEnvelope(
            Object message,
            @Nullable Reply<?> reply,
            @Nullable EventStart wait,
            @Nullable Captured context,
            @Nullable Object sender,
            long draw,
            @Nullable Actor<?> sentBy) {
        super(message, reply, wait, context, sender);
        this.draw = draw;
        this.sentBy = sentBy;
    }

    private static @Nullable Actor<?> currentActor() {
        ActorThread r = ActorThread.ofCurrentThread();
        return r != null && r.currentActor() instanceof Actor<?> actor ? actor : null;
    }

    long draw() {
        return draw;
    }

    /** The nanoseconds from the send until now. */
    long age(long nanoTime) {
        return nanoTime - sent;
    }

    @Override
    public @Nullable Actor<?> sentBy() {
        return sentBy;
    }

    @Override
    public Class<?> type() {
        return message.getClass();
    }

    /** Keeps the sender; the time begins again, since the copy is stashed during its handling. */
    @Override
    Envelope copy() {
        return new SampledEnvelope(message, reply, JfrEvents.waits(), context(), sender(), draw, sentBy);
    }
}
