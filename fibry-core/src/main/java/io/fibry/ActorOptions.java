package io.fibry;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Options that most actors do not have. They are kept in the lifecycle of those that do. Immutable. */
record ActorOptions(
        @Nullable String name,
        @Nullable Object label,
        @Nullable ActorState<?> parent,
        StopPhase phase,
        @Nullable Consumer<StopMode> onStopRequested,
        @Nullable Runnable onStop,
        @Nullable MailboxSpec mailbox) {

    static final ActorOptions NONE = new ActorOptions(null, null, null, StopPhase.ACTORS, null, null, null);

    /** The name, or else the label; null if there is neither, or the label's {@code toString} throws. */
    @Nullable
    String nameOrLabel() {
        if (name != null || label == null) {
            return name;
        }
        try {
            return label.toString();
        } catch (RuntimeException e) {
            return null; // must not hide what the caller is about to report
        }
    }

    /** Whether an actor with these options must be known to its system while it is idle. */
    boolean holdSomething() {
        return name != null || parent != null || onStopRequested != null || onStop != null || phase != StopPhase.ACTORS;
    }
}
