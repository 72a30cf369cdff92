package io.fibry.kernel;

import io.fibry.ActorContext;
import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.MessageSource;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.StackRoom;
import io.fibry.dispatch.Time;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
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

    private static final Consumer<Alarm> SEND = Alarm::fire;

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

    /**
     * Receives the result of a stage, and delivers it. The message is created inside the actor, and only once, even if
     * it is stashed.
     *
     * <p>A stage ignores what this object throws. If the completing thread has too little stack left, the pipe, which
     * is an alarm, therefore fires on another thread. This takes little stack and no memory.
     */
    final class Pipe<T extends @Nullable Object> extends Alarm
            implements BiConsumer<@Nullable T, @Nullable Throwable>, Signal {

        private final CompletionStage<T> stage;
        private final BiFunction<@Nullable T, @Nullable Throwable, M> toMessage;
        private @Nullable Captured context;
        private @Nullable T value;
        private @Nullable Throwable failure;
        private @Nullable M message;
        private boolean isSent; // or will never be
        private boolean isClosed; // guarded by the lock of the lifecycle

        Pipe(CompletionStage<T> stage, BiFunction<@Nullable T, @Nullable Throwable, M> toMessage) {
            this.stage = stage;
            this.toMessage = toMessage;
        }

        /** Delivers the result of the stage. If this fails, the pipe is closed without a result. Any thread. */
        void connect() {
            try {
                context = actor.captured();
                CompletionStage<?> unused = stage.whenComplete(this);
            } catch (Throwable t) {
                isSent = true;
                close(this);
                throw t;
            }
        }

        @Override
        public void accept(@Nullable T itsValue, @Nullable Throwable itsFailure) {
            value = itsValue;
            failure = unwrapped(itsFailure);
            try {
                StackRoom.require();
            } catch (StackOverflowError e) {
                startAt(Time.nanos(), false);
                return;
            }
            OutOfMemory.repeat(SEND, this);
        }

        /** Sends the result, on a thread with enough stack. Safe to repeat after it has run out of memory. */
        @Override
        public void fire() {
            isSent = isSent || actor.signal(this, true);
            close(this);
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

        @Override
        public @Nullable Captured context() {
            return context;
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
     * Opens a pipe, which the caller has to connect. Called under the lock of the lifecycle, while the actor has not
     * ended; otherwise the actor would stay registered.
     */
    <T extends @Nullable Object> Pipe<T> add(
            CompletionStage<T> stage, BiFunction<@Nullable T, @Nullable Throwable, M> toMessage) {
        var pipe = new Pipe<>(stage, toMessage);
        open++;
        latest = stage;
        actor.registry().pendingWork().begins();
        actor.registry().know(actor); // so that the close of the system waits for the result
        return pipe;
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

    /**
     * Returns the cause of a {@link CompletionException}, in which dependent stages wrap a failure; any other failure
     * unchanged.
     */
    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return cause != null ? cause : failure;
    }

    /** Closes a pipe. If the mailbox has refused the result, a draining actor gets it here. Idempotent. */
    private void close(Pipe<?> pipe) {
        boolean role = false;
        lifecycle.lock();
        try {
            if (!pipe.isClosed) {
                if (!pipe.isSent && !lifecycle.discards()) {
                    lifecycle.rareState().childMessages().add(new Envelope(pipe, Reply.OF_SIGNAL));
                }
                pipe.isClosed = true; // from here, nothing fails
                open--;
                latest = latest == pipe.stage ? null : latest;
                if (!givenUp) {
                    actor.registry().pendingWork().ends();
                }
                actor.registry().forgetIfIdle(actor);
                role = lifecycle.endWait();
            }
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
