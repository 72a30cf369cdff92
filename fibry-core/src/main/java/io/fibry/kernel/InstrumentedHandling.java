package io.fibry.kernel;

import io.fibry.ContextCarrier.Attached;
import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.SuspendedHandler;
import io.fibry.flight.EventStart;
import org.jspecify.annotations.Nullable;

/** Handles a message, with {@linkplain Instrumentation instrumentation} if it is in use. Throws nothing. */
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
        Attached context = attach(actor, envelope);
        Throwable failure = fault(actor, envelope);
        InstrumentedEnvelope.Sampled sampled = failure == null ? sampled(envelope) : null;
        long begin = sampled == null ? 0 : System.nanoTime();
        if (failure != null) {
            actor.handleFailure(r, envelope, failure);
        } else {
            failure = actor.handle(r, envelope);
        }
        SuspendedHandler suspended = r.suspended();
        if (suspended == null) {
            ended(actor, envelope, context, failure, run, sampled, begin);
            return;
        }
        InstrumentedHandler handler = null;
        while (handler == null) { // it is suspended already, so it cannot fail for lack of memory
            try {
                handler = new InstrumentedHandler(suspended, actor, envelope, context, run, sampled, begin);
            } catch (OutOfMemoryError e) {
                OutOfMemory.pause();
            }
        }
        r.suspends(handler);
    }

    /** The message, if it is measured. A message that no behavior sees is not. */
    private static InstrumentedEnvelope.@Nullable Sampled sampled(Envelope envelope) {
        return envelope instanceof InstrumentedEnvelope.Sampled sampled && !envelope.isGivenUp() ? sampled : null;
    }

    /** Called when a message is handled, by the thread with its context. */
    static void ended(
            ActorState<?> actor,
            Envelope envelope,
            @Nullable Attached context,
            @Nullable Throwable failure,
            @Nullable EventStart run,
            InstrumentedEnvelope.@Nullable Sampled sampled,
            long begin) {
        if (sampled != null) {
            measured(actor, sampled, begin, failure);
        }
        ContextPropagation.detach(context, failure);
        if (run != null) {
            JfrEvents.ran(run, actor, envelope);
        }
    }

    private static @Nullable Attached attach(ActorState<?> actor, Envelope envelope) {
        Captured context = Instrumentation.context(envelope);
        if (context == null || envelope.isGivenUp()) { // no behavior sees it
            return ContextPropagation.attach(context);
        }
        Lifecycle lifecycle = actor.lifecycleIfAny();
        return ContextPropagation.attach(
                context,
                lifecycle == null ? null : lifecycle.name,
                envelope.reply == Reply.OF_SIGNAL ? ((Signal) envelope.message).delivered() : envelope.message);
    }

    private static void measured(
            ActorState<?> actor, InstrumentedEnvelope.Sampled envelope, long begin, @Nullable Throwable failure) {
        long end = System.nanoTime();
        Sampling sampling = actor.instruments().sampling();
        if (sampling != null) { // else the last tap has been removed since the send
            sampling.handled(envelope, envelope.draw(), actor, envelope.age(begin), end - begin, failure != null);
        }
    }
}
