package io.fibry.kernel;

import io.fibry.ContextCarrier.Attached;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Control;
import io.fibry.flight.EventStart;
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
        control.handles(actor, envelope.message, envelope instanceof InstrumentedEnvelope e ? e.sender() : null);
        return isSignal || envelope.reply == Reply.OF_TASK ? null : control.fault(actor);
    }

    private static void handleWithInstruments(ActorState<?> actor, ActorThread r, Envelope envelope) {
        if (envelope instanceof InstrumentedEnvelope e && e.wait != null) {
            JfrEvents.waited(e.wait, actor, envelope);
        }
        EventStart run = JfrEvents.runs();
        Attached context = ContextPropagation.attach(Instrumentation.context(envelope));
        Throwable fault = fault(actor, envelope);
        if (fault != null) {
            actor.handleFailure(r, envelope, fault);
        } else if (envelope instanceof SampledEnvelope sampled) {
            handleSampled(actor, r, sampled);
        } else {
            actor.handle(r, envelope);
        }
        ContextPropagation.detach(context);
        if (run != null) {
            JfrEvents.ran(run, actor, envelope);
        }
    }

    private static void handleSampled(ActorState<?> actor, ActorThread r, SampledEnvelope envelope) {
        if (envelope.isGivenUp()) { // no behavior sees it
            actor.handle(r, envelope);
            return;
        }
        long failures = ActorSnapshot.failures(actor);
        long begin = System.nanoTime();
        actor.handle(r, envelope);
        long end = System.nanoTime();
        Sampling sampling = actor.system().sampling();
        if (sampling != null) { // else the last tap has been removed since the send
            boolean hasFailed = ActorSnapshot.failures(actor) != failures;
            sampling.handled(envelope, actor, envelope.age(begin), end - begin, hasFailed);
        }
    }
}
