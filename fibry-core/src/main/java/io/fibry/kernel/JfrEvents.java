package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.DeadLetter;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.flight.DeadLetterEvent;
import io.fibry.flight.EndEvent;
import io.fibry.flight.EventStart;
import io.fibry.flight.FailureEvent;
import io.fibry.flight.Flight;
import io.fibry.flight.OverflowEvent;
import io.fibry.flight.RestartEvent;
import io.fibry.flight.StopEvent;
import io.fibry.flight.TimedEvents;
import org.jspecify.annotations.Nullable;

/**
 * Records the library's events with JDK Flight Recorder. Throws nothing: if recording an event fails, for instance
 * because memory runs out or a label's {@code toString} throws, the event is dropped and the operation continues. For
 * the same reason the methods have no lambdas outside their {@code try}: the JVM cannot link them without memory.
 */
final class JfrEvents {

    private JfrEvents() {}

    // ---- messages

    /** Called when a message is about to be sent. */
    static @Nullable EventStart waits() {
        try {
            return Flight.isOn() ? TimedEvents.beginWait() : null;
        } catch (Throwable t) {
            return null;
        }
    }

    static void waited(EventStart wait, ActorState<?> actor, Envelope envelope) {
        try {
            TimedEvents.endWait(wait, actor, envelope.message, kind(envelope));
        } catch (Throwable t) {
            return;
        }
    }

    /** Called when a message is about to be handled. */
    static @Nullable EventStart runs() {
        try {
            return Flight.isOn() ? TimedEvents.beginRun() : null;
        } catch (Throwable t) {
            return null;
        }
    }

    static void ran(EventStart run, ActorState<?> actor, Envelope envelope) {
        try {
            TimedEvents.endRun(run, actor, envelope.message, kind(envelope));
        } catch (Throwable t) {
            return;
        }
    }

    private static String kind(Envelope envelope) {
        Reply<?> reply = envelope.reply;
        return reply == null ? "tell" : reply == Reply.OF_TASK ? "task" : reply == Reply.OF_SIGNAL ? "signal" : "ask";
    }

    // ---- messages that were not handled

    /** Called when a message has found no room. */
    static @Nullable OverflowEvent overflows() {
        try {
            return Flight.isOn() ? OverflowEvent.started() : null;
        } catch (Throwable t) {
            return null;
        }
    }

    /** The end of {@link #overflows}. */
    static void overflowed(
            @Nullable OverflowEvent overflow,
            ActorState<?> actor,
            BoundedMailbox bounded,
            Envelope envelope,
            String outcome) {
        try {
            if (overflow != null) {
                overflow.over(actor, envelope.message, outcome, bounded.spec().capacity());
            }
        } catch (Throwable t) {
            return;
        }
    }

    /** Called when a message has found no room, and was refused or dropped. */
    static void overflow(ActorState<?> actor, BoundedMailbox bounded, Envelope envelope, String outcome) {
        overflowed(overflows(), actor, bounded, envelope, outcome);
    }

    static void deadLetter(Actor<?> actor, Object message, DeadLetter.Reason reason) {
        try {
            if (Flight.isOn()) {
                DeadLetterEvent.happened(actor, message, reason.name());
            }
        } catch (Throwable t) {
            return;
        }
    }

    // ---- actors

    /** Called when a behavior has thrown. */
    static void failed(ActorState<?> actor, Envelope envelope, Throwable thrown, Supervision supervision) {
        try {
            if (Flight.isOn() && FailureEvent.isWanted()) {
                String directive = supervision.about(thrown).directive().name();
                FailureEvent.happened(actor, envelope.message, kind(envelope), thrown, directive);
            }
        } catch (Throwable t) {
            return;
        }
    }

    /** Called when an actor is about to be restarted. */
    static @Nullable RestartEvent restarts() {
        try {
            return Flight.isOn() ? RestartEvent.started() : null;
        } catch (Throwable t) {
            return null;
        }
    }

    /** The end of {@link #restarts}. */
    static void restarted(@Nullable RestartEvent restart, Object actor, boolean success) {
        try {
            if (restart != null) {
                restart.over(actor, success);
            }
        } catch (Throwable t) {
            return;
        }
    }

    static void stops(ActorState<?> actor, StopMode mode) {
        try {
            if (Flight.isOn()) {
                StopEvent.happened(actor, mode.name());
            }
        } catch (Throwable t) {
            return;
        }
    }

    /** Called when an actor ends, before its end is visible to others. */
    static void ends(ActorState<?> actor) {
        try {
            if (Flight.isOn() && EndEvent.isWanted()) {
                ActorExit exit =
                        actor.lifecycle().result(actor.handledBySource().total());
                EndEvent.happened(
                        actor, exit.reason().name(), exit.cause(), exit.handled(), exit.failed(), exit.discarded());
            }
        } catch (Throwable t) {
            return;
        }
    }
}
