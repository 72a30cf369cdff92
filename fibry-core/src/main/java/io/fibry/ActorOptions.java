package io.fibry;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options that most actors do not have. They are kept in the lifecycle of those that do. A name and a parent are not among them:
 * many actors have one and nothing else. Immutable.
 */
record ActorOptions(
        @Nullable Object label,
        StopPhase phase,
        @Nullable Consumer<StopMode> onStopRequested,
        @Nullable Consumer<ActorExit> onStop,
        @Nullable MailboxSpec mailbox) {

    static final ActorOptions NONE = new ActorOptions(null, StopPhase.ACTORS, null, null, null);

    /** The label as a text; null if there is none, or its {@code toString} throws. */
    @Nullable
    String labelText() {
        if (label == null) {
            return null;
        }
        try {
            return label.toString();
        } catch (RuntimeException e) {
            return null; // must not hide what the caller is about to report
        }
    }

    /** Whether an actor with these options must be known to its system while it is idle. */
    boolean holdSomething() {
        return onStopRequested != null || onStop != null || phase != StopPhase.ACTORS;
    }
}
