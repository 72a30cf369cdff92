package io.fibry.kernel;

import io.fibry.HandledMessages;
import io.fibry.dispatch.ActorThread;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The parts of a behavior's context that other parts of the kernel read. */
abstract class ContextState {

    /** Whether a behavior has been made. Any thread; a hint while the first one is being made. */
    abstract boolean hasBehavior();

    /** As {@link ActorState#awaitsSomething}. */
    abstract boolean awaitsSomething();

    /** Called after a message has been handled. */
    abstract void done();

    /** Called after a handler has returned or thrown. */
    final void doneUnlessSuspended(ActorThread r) {
        if (r.suspended() == null) {
            done();
        }
    }

    /** Whether the behavior has stashed the current message. Consumer only. */
    abstract boolean isStashed();

    /** Whether the handler of this ask is running. Any thread; a hint while the actor runs. */
    abstract boolean isHandling(Object ask);

    /** The number of stages of {@code pipeToSelf} that have not completed. Any thread. */
    abstract int openPipes();

    /** The latest of these stages; null if it is unknown. Any thread. */
    abstract @Nullable CompletionStage<?> latestPipe();

    /** Adds the handled messages that were not sent to the number of sent ones. Any thread. */
    abstract HandledMessages handled(long sent);

    /** The scheduled timers, as {@link ActorView#timers} describes them. Any thread; a hint while the actor runs. */
    abstract TimersSnapshot timersSnapshot();

    /** Whether a draining actor has to wait for a result of {@code pipeToSelf}, or for a timer. */
    abstract boolean hasPendingWork();

    /**
     * Refuses further pipes if no result or timer is pending. Called by a draining actor, under the lifecycle's lock.
     */
    abstract boolean refusesResults();

    /** See {@link Timers#giveUpAfter}. */
    abstract void giveUpTimersAfter(long deadline);
}
