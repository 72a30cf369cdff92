package io.fibry.dispatch;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The rest of a handler that has returned before its message is handled, such as a suspending function of Kotlin. It
 * consists of steps, which other threads add. While there is no step, no thread runs the actor. The actor handles no
 * other message until this one is handled.
 *
 * <p>A handler calls {@link #suspend}, and then returns. From then on, a thread that has added a step, or completed the
 * handler, calls {@link Resumption#wakeUp}. All methods except {@link #hasWork} are called in turns of the actor.
 */
public interface SuspendedHandler {

    /** Makes the actor run the steps of its suspended handler. */
    interface Resumption {

        /** Called by any thread after it has added a step, or completed the handler. */
        void wakeUp();
    }

    /**
     * Suspends the handler that the calling thread runs. The handler returns the result of this method next.
     *
     * @throws IllegalStateException if the calling thread runs no handler
     */
    static @Nullable Object suspend(SuspendedHandler handler) {
        ScheduledActor actor = AskStage.actorOfCurrentThread();
        if (actor == null) {
            throw new IllegalStateException("only the handler of an actor can be suspended");
        }
        return actor.suspend(handler);
    }

    /** Called once, before the actor waits for a step for the first time. It looks for steps afterwards. */
    void suspended(Resumption resumption);

    /** Runs the steps that are present, but no step that they add. Throws nothing. */
    void runSteps();

    /** Whether there are steps, or the handler is complete. May be called by a thread that does not run the actor. */
    boolean hasWork();

    /** Whether the message is handled. There are no more steps then. */
    boolean isComplete();

    /** Returns the result of the complete handler, or throws its exception. */
    @Nullable
    Object result() throws Exception;

    /** The thread of the handler has been interrupted, or would have been if there were one. */
    void interrupted();

    /** The ask, or the stage, without which there will be no step; null if it is unknown. */
    @Nullable
    CompletableFuture<?> awaited();
}
