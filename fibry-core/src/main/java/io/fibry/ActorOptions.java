package io.fibry;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a few actors have and most have not; kept in the lifecycle of those that do. Immutable. */
record ActorOptions(
        @Nullable String name,
        @Nullable Object label,
        @Nullable ActorState<?> parent,
        StopPhase phase,
        @Nullable Consumer<StopMode> onStopRequested,
        @Nullable Runnable onStop,
        @Nullable MailboxSpec mailbox) {

    static final ActorOptions NONE = new ActorOptions(null, null, null, StopPhase.ACTORS, null, null, null);

    /** What to call the actor, or null if nobody has said it. */
    @Nullable
    String nameOrLabel() {
        if (name != null || label == null) {
            return name;
        }
        try {
            return label.toString();
        } catch (RuntimeException e) {
            return null; // whoever asks is about to report something else
        }
    }

    /** Whether an actor with these has to be known to its system while it is idle. */
    boolean holdSomething() {
        return name != null || parent != null || onStopRequested != null || onStop != null || phase != StopPhase.ACTORS;
    }
}
