package io.fibry.kernel;

import io.fibry.DeadLetter;
import io.fibry.HandledMessages;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The sources of the messages that an actor receives without a sender: watches, timers, the receive timeout and pipes.
 * Each is created on first use, by any thread, under the lock of the lifecycle. After the end of the actor, none
 * delivers a message.
 *
 * <p>The superclass of the context rather than a part of it, which would be one more object for each actor.
 *
 * @param <A> the type of the actor
 */
abstract class ContextSources<M, A extends ActorState<M>> extends ContextState {

    final A actor;

    // Written under the lock of the lifecycle
    private volatile @Nullable Watching watches;
    private volatile @Nullable Timers<M> timers;
    private volatile @Nullable ReceiveTimeout<M> receiveTimeout;
    private volatile @Nullable Pipes<M> pipes;

    private boolean ended; // guarded by that lock

    ContextSources(A actor) {
        this.actor = actor;
    }

    // ---- for the behavior

    final Watching watches() {
        Watching w = watches;
        if (w == null) {
            Lifecycle l = actor.lifecycle();
            l.lock();
            try {
                w = watches != null ? watches : new Watching(actor, ended);
                watches = w;
            } finally {
                l.unlock();
            }
        }
        return w;
    }

    final Timers<M> timers() {
        Timers<M> t = timers;
        if (t == null) {
            Lifecycle l = actor.lifecycle();
            l.lock();
            try {
                t = timers != null ? timers : new Timers<>(actor, ended);
                timers = t;
            } finally {
                l.unlock();
            }
        }
        return t;
    }

    final ReceiveTimeout<M> startReceiveTimeout(M message, long nanos) {
        var next = new ReceiveTimeout<>(actor, timers(), message, nanos);
        ReceiveTimeout<M> before;
        Lifecycle l = actor.lifecycle();
        l.lock();
        try {
            requireAlive();
            before = receiveTimeout;
            receiveTimeout = next;
            actor.registry().know(actor); // so that the close of the system stops the actor, and ends the timeout
        } finally {
            l.unlock();
        }
        if (before != null) {
            before.cancel();
        }
        next.start();
        return next;
    }

    /** Adds a pipe, which the caller has to connect. */
    final <T extends @Nullable Object> Pipes<M>.Pipe<T> pipe(
            CompletionStage<T> stage, BiFunction<@Nullable T, @Nullable Throwable, M> message) {
        Lifecycle l = actor.lifecycle();
        l.lock();
        try {
            requireAlive();
            Pipes<M> p = pipes != null ? pipes : new Pipes<>(actor);
            pipes = p;
            return p.add(stage, message);
        } finally {
            l.unlock();
        }
    }

    /** Throws if the actor has ended. Under the lock of the lifecycle. */
    private void requireAlive() {
        if (ended) {
            throw actor.stopped();
        }
    }

    // ---- for the consumer

    final @Nullable ReceiveTimeout<M> receiveTimeoutIfAny() {
        return receiveTimeout;
    }

    @Override
    final boolean refusesResults() {
        if (hasPendingWork()) {
            return false;
        }
        ended = true;
        return true;
    }

    /** Called when the actor is restarted. */
    final void cancelTimers() {
        endTimers(false, DeadLetter.Reason.RESTARTED);
    }

    private void endTimers(boolean forGood, DeadLetter.Reason why) {
        Timers<M> t = timers;
        if (t != null) {
            for (Signal timer : t.signals(forGood)) {
                DeadLetters.end(actor, timer, why);
            }
        }
        ReceiveTimeout<M> r = receiveTimeout;
        if (r != null) {
            r.cancel();
        }
    }

    /** Called for a restart: the watches belong to the behavior before it. */
    final void clearWatches() {
        Watching w = watches;
        if (w != null) {
            w.clear();
        }
    }

    /** Called when the actor ends. */
    final void endSources() {
        Lifecycle l = actor.lifecycle();
        l.lock();
        ended = true; // watches, timers and pipes created later see it
        l.unlock();
        endTimers(true, DeadLetters.reason(actor));
        Pipes.giveUp(pipes);
        Watching w = watches;
        if (w != null) {
            w.end();
        }
    }

    // ---- for any thread

    /** Whether a timer, a receive timeout or a pipe may still deliver a message. */
    final boolean awaitsSource() {
        Timers<M> t = timers;
        ReceiveTimeout<M> r = receiveTimeout;
        return (t != null && !t.isEmpty()) || (r != null && !r.isCancelled()) || openPipes() > 0;
    }

    @Override
    final HandledMessages handled(long sent) {
        Timers<M> t = timers;
        Pipes<M> p = pipes;
        Watching w = watches;
        return new HandledMessages(
                sent, t == null ? 0 : t.handled(), p == null ? 0 : p.handled(), w == null ? 0 : w.handled());
    }

    @Override
    final TimersSnapshot timersSnapshot() {
        Timers<M> t = timers;
        return t == null ? TimersSnapshot.NONE : t.snapshot(receiveTimeout);
    }

    @Override
    final int openPipes() {
        Pipes<M> p = pipes;
        return p == null ? 0 : p.open();
    }

    @Override
    final @Nullable CompletionStage<?> latestPipe() {
        Pipes<M> p = pipes;
        return p == null ? null : p.latest();
    }

    @Override
    final boolean hasPendingWork() {
        Timers<M> t = timers;
        return openPipes() > 0 || (t != null && t.arePending());
    }

    @Override
    final void giveUpTimersAfter(long deadline) {
        Timers<M> t = timers;
        if (t != null) {
            t.giveUpAfter(deadline);
        }
    }
}
