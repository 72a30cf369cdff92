package io.fibry;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a few actors have and most have not; kept in the lifecycle of those that do. Immutable. */
record ActorOptions(
        @Nullable String name,
        @Nullable ActorState<?> parent,
        StopPhase phase,
        @Nullable Consumer<StopMode> onStopRequested,
        @Nullable Runnable onStop,
        @Nullable MailboxSpec mailbox) {

    static final ActorOptions NONE = new ActorOptions(null, null, StopPhase.ACTORS, null, null, null);

    /** Whether an actor with these has to be known to its system while it is idle. */
    boolean holdSomething() {
        return name != null || parent != null || onStopRequested != null || onStop != null || phase != StopPhase.ACTORS;
    }
}
