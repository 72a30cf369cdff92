package io.fibry.kernel;

import io.fibry.ContextCarrier;
import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.Control;
import io.fibry.flight.Flight;
import io.fibry.flight.QueueTimeEvent;
import org.jspecify.annotations.Nullable;

/**
 * Instrumentation of messages: the context of the sender, and the send time for Flight Recorder. Without
 * instrumentation, the only cost is the reads of {@link #areInUse}: messages have no fields for it.
 */
final class Instrumentation {

    /**
     * Whether there is, or was, a system with a context carrier, or one under a {@link Control}. The field is plain,
     * because it is read for every message. A thread that has obtained an actor of such a system sees the write, which
     * precedes the publication of the system.
     */
    private static boolean inUse;

    private Instrumentation() {}

    static boolean areInUse() {
        return inUse || Flight.isOn();
    }

    /** Called when a system is made with this carrier; null for none. */
    static void carry(@Nullable ContextCarrier carrier) {
        if (carrier != null
                || Control.ofCurrentThread() != null) { // never reset to false: another system may have set it
            inUse = true;
        }
    }

    /** Called when the calling thread is about to perform an observable step. */
    static void beforeStep() {
        Control control = Control.ofCurrentThread();
        if (control != null) {
            control.beforeStep();
        }
    }

    /** Wraps a message to send with its instrumentation. Called by the sender, only if instruments are in use. */
    static Envelope envelope(@Nullable ContextCarrier carrier, Object message, @Nullable Reply<?> reply) {
        Captured context = reply == null ? null : reply.context();
        return envelope(context != null ? context : ContextPropagation.capture(carrier), message, reply);
    }

    /** As above, with a captured context. */
    static Envelope envelope(@Nullable Captured context, Object message, @Nullable Reply<?> reply) {
        QueueTimeEvent wait = JfrEvents.waits();
        Control control = Control.ofCurrentThread();
        if (control != null && reply != null && reply != Reply.OF_TASK && reply != Reply.OF_SIGNAL) {
            control.made(reply);
        }
        Object sender = control == null ? null : control.beforeSend();
        return wait == null && context == null && sender == null
                ? new Envelope(message, reply)
                : new InstrumentedEnvelope(message, reply, context, wait, sender);
    }

    /** The context in which a message was sent; null if it has none. */
    static @Nullable Captured context(Envelope envelope) {
        if (envelope.reply == Reply.OF_SIGNAL) {
            return ((Signal) envelope.message).context();
        }
        return envelope instanceof InstrumentedEnvelope e ? e.context : null;
    }
}
