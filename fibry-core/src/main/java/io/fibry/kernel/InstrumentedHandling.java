package io.fibry.kernel;

import io.fibry.ContextCarrier.Attached;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Control;
import io.fibry.flight.RunEvent;
import org.jspecify.annotations.Nullable;

/** Handles a message, with instrumentation if {@link Instrumentation} are in use. Throws nothing. */
final class InstrumentedHandling {

    private InstrumentedHandling() {}

    static void handle(ActorState<?> actor, ActorThread r, Envelope envelope) {
        if (Instrumentation.areInUse()) {
            handleWithInstruments(actor, r, envelope);
        } else {
            actor.handle(r, envelope);
        }
    }

    /** The exception that a controlled test injects instead of the handling of this message; null for none. */
    private static @Nullable Throwable fault(ActorState<?> actor, Envelope envelope) {
        Control control = Control.ofCurrentThread();
        boolean isSignal = envelope.reply == Reply.OF_SIGNAL;
        if (control == null || envelope.isGivenUp() || (isSignal && !((Signal) envelope.message).isMessage())) {
            return null;
        }
        control.handles(actor, envelope.message, envelope instanceof InstrumentedEnvelope e ? e.sender : null);
        return isSignal || envelope.reply == Reply.OF_TASK ? null : control.fault(actor);
    }

    private static void handleWithInstruments(ActorState<?> actor, ActorThread r, Envelope envelope) {
        if (envelope instanceof InstrumentedEnvelope e && e.wait != null) {
            JfrEvents.waited(e.wait, actor, envelope);
        }
        RunEvent run = JfrEvents.runs();
        Attached context = ContextPropagation.attach(Instrumentation.context(envelope));
        Throwable fault = fault(actor, envelope);
        if (fault == null) {
            actor.handle(r, envelope);
        } else {
            actor.handleFailure(r, envelope, fault);
        }
        ContextPropagation.detach(context);
        if (run != null) {
            JfrEvents.ran(run, actor, envelope);
        }
    }
}
