package io.fibry.kernel;

import io.fibry.ActorExit;
import io.fibry.StopMode;
import io.fibry.StopPhase;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rarely used options, kept in the lifecycle of the actors that have any. A name and a parent are not included: many
 * actors have only one of them. Immutable.
 */
record ActorOptions(
        @Nullable Object label,
        StopPhase phase,
        @Nullable Consumer<StopMode> onStopRequested,
        @Nullable Consumer<ActorExit> onStop,
        @Nullable MailboxSpec mailbox) {

    static final ActorOptions NONE = new ActorOptions(null, StopPhase.ACTORS, null, null, null);

    ActorOptions withLabel(Object value) {
        return new ActorOptions(value, phase, onStopRequested, onStop, mailbox);
    }

    ActorOptions withStopPhase(StopPhase value) {
        return new ActorOptions(label, value, onStopRequested, onStop, mailbox);
    }

    ActorOptions withOnStopRequested(Consumer<StopMode> value) {
        return new ActorOptions(label, phase, value, onStop, mailbox);
    }

    ActorOptions withOnStop(Consumer<ActorExit> value) {
        return new ActorOptions(label, phase, onStopRequested, value, mailbox);
    }

    ActorOptions withMailbox(@Nullable MailboxSpec value) {
        return value == mailbox ? this : new ActorOptions(label, phase, onStopRequested, onStop, value);
    }

    /** The label as text; null if there is none, or its {@code toString} throws. */
    @Nullable
    String labelText() {
        if (label == null) {
            return null;
        }
        try {
            return label.toString();
        } catch (RuntimeException e) {
            return null; // must not hide the failure that the caller is about to report
        }
    }

    /** Whether an actor with these options must be known to its system while it is idle. */
    boolean holdSomething() {
        return onStopRequested != null || onStop != null || phase != StopPhase.ACTORS;
    }
}
