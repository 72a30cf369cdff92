package io.fibry.kernel;

import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.MessageSource;

/**
 * Counts the handled messages of one source that were not sent to their actor. They reach it as {@link Signal}s. The
 * count is part of the object that an actor has for such a source anyway, so other actors have no field for it.
 */
abstract class OwnMessages {

    /** Written by the consumer; a hint for other threads. */
    private long handled;

    /**
     * Counts the current message of the actor, unless the behavior has stashed it. Called by the consumer after the
     * behavior has returned or thrown.
     */
    final void count(ActorState<?> actor, MessageSource source, ActorThread runner) {
        ContextState context = actor.context();
        if (context == null || !context.isStashed()) {
            handled++;
            runner.count(source);
        }
    }

    /** The number of handled messages. Any thread. */
    final long handled() {
        return handled;
    }
}
