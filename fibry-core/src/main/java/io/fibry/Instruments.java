package io.fibry;

import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.Control;
import io.fibry.flight.Flight;
import io.fibry.flight.WaitEvent;
import org.jspecify.annotations.Nullable;

/**
 * What some programs add to each message: the context of its sender, and the time at which it was sent, for Flight Recorder. Other
 * programs pay for the reads of {@link #areInUse}: their messages have neither, and no room for them.
 */
final class Instruments {

    /**
     * Whether there is, or was, a system that carries contexts, or one under a {@link Control}. Plain, because it is read for every
     * message. Whoever has an actor of such a system sees it: it is written before the system can be used.
     */
    private static boolean inUse;

    private Instruments() {}

    static boolean areInUse() {
        return inUse || Flight.isOn();
    }

    /** A system is made whose messages carry this; null for nothing. */
    static void carry(@Nullable ContextCarrier carrier) {
        if (carrier != null
                || Control.ofCurrentThread() != null) { // no other write: it must not undo the one of another system
            inUse = true;
        }
    }

    /** The calling thread is about to do something that others can see. */
    static void beforeStep() {
        Control control = Control.ofCurrentThread();
        if (control != null) {
            control.beforeStep();
        }
    }

    /** A message to send, with what is to go along with it. Only if instruments are in use. By the sender. */
    static Envelope envelope(@Nullable ContextCarrier carrier, Object message, @Nullable Reply<?> reply) {
        Captured context = reply == null ? null : reply.context();
        return envelope(context != null ? context : Contexts.capture(carrier), message, reply);
    }

    /** The same with a context that has been captured. */
    static Envelope envelope(@Nullable Captured context, Object message, @Nullable Reply<?> reply) {
        WaitEvent wait = FlightLog.waits();
        Control control = Control.ofCurrentThread();
        Object sender = control == null ? null : control.beforeSend();
        return wait == null && context == null && sender == null
                ? new Envelope(message, reply)
                : new InstrumentedEnvelope(message, reply, context, wait, sender);
    }

    /** The context in which a message was sent; null if it carries none. */
    static @Nullable Captured context(Envelope envelope) {
        if (envelope.reply == Reply.OF_SIGNAL) {
            return ((Signal) envelope.message).context();
        }
        return envelope instanceof InstrumentedEnvelope e ? e.context : null;
    }
}
