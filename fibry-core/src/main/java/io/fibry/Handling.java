package io.fibry;

import io.fibry.ContextCarrier.Attached;
import io.fibry.dispatch.Runner;
import io.fibry.flight.RunEvent;

/** The handling of a message, with what happens before and after it if {@link Instruments} are in use. Throws nothing. */
final class Handling {

    private Handling() {}

    static void handle(ActorState<?> actor, Runner r, Envelope envelope) {
        if (Instruments.areInUse()) {
            handleWithInstruments(actor, r, envelope);
        } else {
            actor.handle(r, envelope);
        }
    }

    private static void handleWithInstruments(ActorState<?> actor, Runner r, Envelope envelope) {
        if (envelope instanceof InstrumentedEnvelope e && e.wait != null) {
            FlightLog.waited(e.wait, actor, envelope);
        }
        RunEvent run = FlightLog.runs();
        Attached context = Contexts.attach(Instruments.context(envelope));
        actor.handle(r, envelope);
        Contexts.detach(context);
        if (run != null) {
            FlightLog.ran(run, actor, envelope);
        }
    }
}
