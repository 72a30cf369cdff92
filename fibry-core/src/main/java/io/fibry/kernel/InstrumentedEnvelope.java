package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.ActorThread;
import io.fibry.flight.EventStart;
import org.jspecify.annotations.Nullable;

/**
 * A message with the data added by {@link Instrumentation}. It has 32 bytes: during a recording, most messages need
 * only the begin of their wait.
 */
class InstrumentedEnvelope extends Envelope {

    /** Began when the message was sent; null if waits are not recorded. */
    final @Nullable EventStart wait;

    InstrumentedEnvelope(Object message, @Nullable Reply<?> reply, @Nullable EventStart wait) {
        super(message, reply);
        this.wait = wait;
    }

    /** The context of the sender; null if the system has no carrier. */
    @Nullable
    Captured context() {
        return null;
    }

    /** The sender, for the trace of a controlled test; null otherwise. */
    @Nullable
    Object sender() {
        return null;
    }

    /** Begins a new wait, since the copy is stashed during its handling. Keeps the context of the sender. */
    @Override
    Envelope copy() {
        return Instrumentation.copy(this);
    }

    /** A message with a context or a sender. */
    static class WithContext extends InstrumentedEnvelope {
        private final @Nullable Captured context;
        private final @Nullable Object sender;

        WithContext(
                Object message,
                @Nullable Reply<?> reply,
                @Nullable EventStart wait,
                @Nullable Captured context,
                @Nullable Object sender) {
            super(message, reply, wait);
            this.context = context;
            this.sender = sender;
        }

        @Override
        @Nullable
        Captured context() {
            return context;
        }

        @Override
        @Nullable
        Object sender() {
            return sender;
        }
    }

    /** A message that is measured for a {@link MessageTap}. */
    static final class Sampled extends WithContext implements SampledMessage {

        /** The random number of the sender: see {@link Sampling}. */
        private final long draw;

        private final @Nullable Actor<?> sentBy;
        private final long sent = System.nanoTime();

        Sampled(
                Object message,
                @Nullable Reply<?> reply,
                @Nullable EventStart wait,
                @Nullable Captured context,
                @Nullable Object sender,
                long draw) {
            this(message, reply, wait, context, sender, draw, currentActor());
        }

        private Sampled(
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
            return new Sampled(message, reply, JfrEvents.waits(), context(), sender(), draw, sentBy);
        }
    }
}
