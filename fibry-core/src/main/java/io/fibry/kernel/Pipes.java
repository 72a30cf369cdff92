package io.fibry.kernel;

import io.fibry.ActorContext;
import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.MessageSource;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The stages whose results an actor awaits; see {@link ActorContext#pipeToSelf}. A draining actor also waits for them,
 * since the work was accepted before the stop.
 *
 * <p><b>No result is missed.</b> While the mailbox is open, the result arrives through it. When it is closed, the
 * result goes to the {@link ChildMessages}, and the actor cannot have ended: it ends only if it finds no open pipe,
 * under the lock of the lifecycle. The pipe is closed under the same lock, after the result was added. If the actor
 * waits at that moment, the thread that closes the pipe acquires the consumer's role and makes the actor ready.
 */
final class Pipes<M> extends OwnMessages {

    private final ActorState<M> actor;
    private final Lifecycle lifecycle;
    private int open; // guarded by the lock of the lifecycle, as is the next one
    private boolean givenUp;

    /** The stage of the latest pipe; null if that is closed. Guarded by the lock; for exception messages only. */
    private @Nullable CompletionStage<?> latest;

    Pipes(ActorState<M> actor) {
        this.actor = actor;
        lifecycle = actor.lifecycle();
    }

    /** The result of a stage. Its message is created inside the actor, and only once, even if it is stashed. */
    private final class Result<T extends @Nullable Object> implements Signal {
        private final @Nullable T value;
        private final @Nullable Throwable failure;
        private final BiFunction<@Nullable T, @Nullable Throwable, M> toMessage;
        private @Nullable M message;

        Result(
                @Nullable T value,
                @Nullable Throwable failure,
                BiFunction<@Nullable T, @Nullable Throwable, M> toMessage) {
            this.value = value;
            this.failure = failure;
            this.toMessage = toMessage;
        }

        @Override
        public void deliver(ActorThread runner) throws Exception {
            try {
                M m = message;
                if (m == null) {
                    m = Objects.requireNonNull(
                            toMessage.apply(value, failure), "the function of pipeToSelf must not return null");
                    message = m;
                }
                actor.receive(m);
            } finally {
                count(actor, MessageSource.PIPED, runner);
            }
        }

        /** The result, until the behavior has the message. */
        @Override
        public Object delivered() {
            return message != null ? message : value != null ? value : failure != null ? failure : this;
        }

        /**
         * The message, if the behavior has stashed it. Otherwise null: the function must not run for a message that
         * will not be handled.
         */
        @Override
        public @Nullable Object lost() {
            return message;
        }

        @Override
        public String toString() {
            return "the result " + (failure == null ? value : failure);
        }

        @Override
        public boolean isMessage() {
            return true;
        }
    }

    /**
     * Opens a pipe. Called under the lock of the lifecycle, while the actor has not ended; otherwise the actor would
     * stay registered.
     */
    void add(CompletionStage<?> stage) {
        open++;
        latest = stage;
        actor.registry().pendingWork().begins();
        actor.registry().know(actor); // so that the close of the system waits for the result
    }

    /**
     * Called once when the actor ends after a stop that discards, possibly with open pipes. Their stages may never
     * complete, so the system no longer waits for them. No pipe is opened afterwards.
     */
    static void giveUp(@Nullable Pipes<?> pipes) {
        if (pipes != null) {
            pipes.giveUp();
        }
    }

    private void giveUp() {
        lifecycle.lock();
        try {
            givenUp = true;
            latest = null;
            for (int i = 0; i < open; i++) {
                actor.registry().pendingWork().ends();
            }
        } finally {
            lifecycle.unlock();
        }
    }

    /** Delivers the result of the stage through an open pipe. Any thread. */
    <T extends @Nullable Object> void connect(
            CompletionStage<T> stage, BiFunction<@Nullable T, @Nullable Throwable, M> toMessage) {
        Captured context = actor.captured();
        CompletionStage<?> unused = stage.whenComplete(
                (value, failure) -> arrived(stage, new Result<>(value, unwrapped(failure), toMessage).in(context)));
    }

    /**
     * Returns the cause of a {@link CompletionException}, in which dependent stages wrap a failure; any other failure
     * unchanged.
     */
    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return cause != null ? cause : failure;
    }

    private void arrived(CompletionStage<?> stage, Signal result) {
        boolean accepted = actor.signal(result);
        boolean role;
        lifecycle.lock();
        try {
            if (!accepted && !lifecycle.discards()) {
                lifecycle.rareState().childMessages().add(new Envelope(result, Reply.OF_SIGNAL));
            }
            open--;
            latest = latest == stage ? null : latest;
            if (!givenUp) {
                actor.registry().pendingWork().ends();
            }
            actor.registry().forgetIfIdle(actor);
            role = lifecycle.endWait();
        } finally {
            lifecycle.unlock();
        }
        if (role) {
            actor.ready();
        }
    }

    /** The latest stage, if it has not completed; null also if an earlier one has not. */
    @Nullable
    CompletionStage<?> latest() {
        lifecycle.lock();
        try {
            return latest;
        } finally {
            lifecycle.unlock();
        }
    }

    /** The number of stages that have not completed. */
    int open() {
        lifecycle.lock();
        try {
            return open;
        } finally {
            lifecycle.unlock();
        }
    }
}
