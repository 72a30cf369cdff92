package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ContextCarrier;
import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.Control;
import io.fibry.flight.EventStart;
import io.fibry.flight.Flight;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Instrumentation of messages: the context of the sender, and the send time for Flight Recorder and for samples.
 * Without instrumentation, the only cost is the reads of {@link #areInUse}: messages have no fields for it.
 */
final class Instrumentation {

    /**
     * Whether a system with a context carrier or under a {@link Control} has ever been created, or the messages of a
     * system are currently sampled. The field is plain, because it is read for every message. A thread that has
     * obtained an actor of such a system sees the write, which precedes the publication of the system.
     */
    private static boolean inUse;

    /** Whether {@link #inUse} remains true. Guarded by the lock, like the next field. */
    private static boolean always;

    /** The number of systems with a {@link Sampling}. */
    private static int sampled;

    private static final ReentrantLock LOCK = new ReentrantLock();

    private static final long NOT_SAMPLED = -1;

    private Instrumentation() {}

    static boolean areInUse() {
        return inUse || Flight.isOn();
    }

    /** Called when a system is made with this carrier; null for none. */
    static void carry(@Nullable ContextCarrier carrier) {
        if (carrier != null || Control.ofCurrentThread() != null) {
            update(() -> always = true); // never reset to false: another system may have set it
        }
    }

    /** Called when a system gets its first tap. A running thread may see it with a short delay. */
    static void beginSampling() {
        update(() -> sampled++);
    }

    /** Called when a system has lost its last tap. */
    static void endSampling() {
        update(() -> sampled--);
    }

    private static void update(Runnable change) {
        LOCK.lock();
        try {
            change.run();
            inUse = always || sampled > 0;
        } finally {
            LOCK.unlock();
        }
    }

    /** Called when the calling thread is about to perform an observable step. */
    static void beforeStep() {
        Control control = Control.ofCurrentThread();
        if (control != null) {
            control.beforeStep();
        }
    }

    /**
     * Wraps a message to send with its instrumentation. Called by the sender, only if instruments are in use.
     *
     * @param instruments those of the receiver's system
     */
    static Envelope envelope(
            MessageInstruments instruments, Actor<?> receiver, Object message, @Nullable Reply<?> reply) {
        Captured context = reply == null ? null : reply.context();
        if (context == null) {
            context = ContextPropagation.capture(instruments.carrier());
        }
        Sampling sampling = instruments.sampling();
        long draw = sampling == null || reply == Reply.OF_SIGNAL ? NOT_SAMPLED : sampling.draw(receiver);
        EventStart wait = JfrEvents.waits();
        Object sender = sender(reply);
        return draw == NOT_SAMPLED
                ? envelope(message, reply, wait, context, sender)
                : new InstrumentedEnvelope.Sampled(message, reply, wait, context, sender, draw);
    }

    private static Envelope envelope(
            Object message,
            @Nullable Reply<?> reply,
            @Nullable EventStart wait,
            @Nullable Captured context,
            @Nullable Object sender) {
        if (context != null || sender != null) {
            return new InstrumentedEnvelope.WithContext(message, reply, wait, context, sender);
        }
        return wait != null ? new InstrumentedEnvelope(message, reply, wait) : new Envelope(message, reply);
    }

    /** Copies a message with the context of its sender; its wait begins again. */
    static Envelope copy(InstrumentedEnvelope e) {
        return envelope(e.message, e.reply, JfrEvents.waits(), e.context(), sender(e.reply));
    }

    /** The sender, for the trace of a controlled test; null otherwise. */
    private static @Nullable Object sender(@Nullable Reply<?> reply) {
        Control control = Control.ofCurrentThread();
        if (control == null) {
            return null;
        }
        if (reply != null && reply != Reply.OF_TASK && reply != Reply.OF_SIGNAL) {
            control.made(reply);
        }
        return control.beforeSend();
    }

    /** The context in which a message was sent; null if it has none. */
    static @Nullable Captured context(Envelope envelope) {
        if (envelope.reply == Reply.OF_SIGNAL) {
            return ((Signal) envelope.message).context();
        }
        return envelope instanceof InstrumentedEnvelope e ? e.context() : null;
    }
}
