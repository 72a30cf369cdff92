package io.fibry.kernel;

import io.fibry.BehaviorCancelledException;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.LogLimit;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.Time;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Logs failures of a behavior, and applies its supervision. Called by the actor's consumer, in a turn. */
final class Failures {

    private static final BiConsumer<ActorCell<?>, Throwable> REJECT = Failures::logAndFail;

    private Failures() {}

    /**
     * Processes a failure of the behavior. Throws nothing. Retries on {@link OutOfMemoryError}: no failure may go
     * unprocessed.
     */
    static void of(ActorCell<?> actor, ActorThread r, Envelope envelope, Throwable t) {
        if (t instanceof OutOfMemoryError) {
            OutOfMemory.note();
        }
        boolean reported = false;
        boolean decided = t instanceof Control.Over;
        while (!decided) {
            try {
                if (!reported) {
                    report(actor, envelope, t);
                    reported = true;
                }
                decide(actor, r, t);
                decided = true;
            } catch (OutOfMemoryError e) {
                OutOfMemory.pause();
            } catch (Throwable e) { // a bug of the kernel, or code that was first linked in an exhausted heap
                decided = reported; // a failure that could not be reported is decided, too
                reported = true;
                KernelLog.failedToReport("treatment of a failure", e);
            }
        }
    }

    /**
     * Called when an error of the kernel itself, usually an {@link OutOfMemoryError}, has ended a turn. The turn has
     * not released the consumer's role, and the messages that it has not begun are still in hand.
     *
     * @return true, since another turn has to follow
     */
    static boolean ofTurn(ActorCell<?> actor, ActorThread r, Throwable t) {
        if (!(t instanceof OutOfMemoryError || t instanceof Control.Over)) {
            log(actor, "could not run a turn", null, t);
        }
        OutOfMemory.pause();
        actor.withdraw(r);
        return true;
    }

    /** Stops an actor whose executor has rejected its turn. */
    static void ofExecutor(ActorCell<?> actor, Throwable cause) {
        OutOfMemory.repeat(REJECT, actor, cause);
    }

    private static void logAndFail(ActorCell<?> actor, Throwable cause) {
        KernelLog.rejected(actor, cause);
        actor.fail(cause);
    }

    private static void report(ActorCell<?> actor, Envelope envelope, Throwable t) {
        JfrEvents.failed(actor, envelope, t, actor.kind.supervision());
        actor.kind.counts().incidents.failed(actor, envelope.message, t);
        if (!envelope.isAsk() || isStashed(actor) || !askerGets(Objects.requireNonNull(envelope.reply), t)) {
            log(actor, "failed to handle a message", envelope.message, t);
        }
        actor.lifecycle().countFailed();
        actor.kind.counts().failures.increment();
    }

    /**
     * Logs at most one line a second for each actor, so that an actor that fails for every message does not flood the
     * log. Throws nothing. Consumer only.
     *
     * @param message the message that was being handled, or null
     */
    static void log(ActorState<?> actor, String what, @Nullable Object message, Throwable t) {
        try {
            logOrThrow(actor, what, message, t);
        } catch (Throwable unlogged) { // no lambda: code that is first linked in an exhausted heap fails permanently
            KernelLog.failed(actor, "report of a failure", unlogged);
        }
    }

    private static void logOrThrow(ActorState<?> actor, String what, @Nullable Object message, Throwable t) {
        LogLimit log = actor.lifecycle().rareState().failureLog();
        if (actor.lifecycleMode() == StopMode.INTERRUPT) {
            KernelLog.interrupted(actor, t);
        } else {
            Control control = Control.ofCurrentThread();
            if (control != null) {
                control.failed(actor, what, message, t);
            }
            if (log.tryLog()) {
                KernelLog.failure(actor, what, log, t);
            }
        }
        var handler = t instanceof Error ? Thread.getDefaultUncaughtExceptionHandler() : null;
        if (handler != null) {
            handler.uncaughtException(Thread.currentThread(), t);
        }
    }

    /** Whether the behavior has stashed the message before it threw. Then the ask waits for the next handling. */
    private static boolean isStashed(ActorCell<?> actor) {
        CellContext<?, ?> context = actor.context();
        return context != null && context.isStashed();
    }

    /**
     * Whether this failure completes the ask. False if the ask already has a reply, or has ended by a timeout or a
     * cancellation. Also true if the behavior itself has completed the ask with this failure.
     */
    private static boolean askerGets(Reply<?> reply, Throwable t) {
        return reply.fail(t) || (reply.state() == Future.State.FAILED && isFrom(reply.exceptionNow(), t));
    }

    private static boolean isFrom(Throwable failure, Throwable thrown) {
        return failure == thrown || (failure instanceof BehaviorCancelledException && failure.getCause() == thrown);
    }

    /**
     * Processes a failure of the factory in a restart. A draining actor does not retry, since it would do so without a
     * backoff.
     */
    static void ofRestart(ActorCell<?> actor, ActorThread r, Throwable t) {
        log(actor, "could not be restarted", null, t);
        Supervision policy = actor.kind.supervision().about(t);
        if (policy.directive() == Supervision.Directive.RESTART
                && policy.backoff() != null
                && actor.lifecycleMode() == null) {
            restart(actor, r, policy, t);
        } else {
            escalate(actor, r, t);
        }
    }

    private static void decide(ActorCell<?> actor, ActorThread r, Throwable t) {
        Supervision policy = actor.kind.supervision().about(t);
        switch (policy.directive()) {
            case RESUME -> {} // the next message is handled with the same state
            case STOP -> actor.fail(t);
            case RESTART -> restart(actor, r, policy, t);
            case ESCALATE -> escalate(actor, r, t);
        }
    }

    private static void restart(ActorCell<?> actor, ActorThread r, Supervision policy, Throwable t) {
        if (actor.discards()) {
            return;
        }
        CellContext<?, ?> context = actor.context();
        if (context != null) {
            context.cancelTimers();
        }
        RestartHistory history = actor.lifecycle().pause().history();
        if (history.allows(policy.limit(), policy.backoff(), Time.nanos())) {
            Restarts.schedule(actor, r, history.pause(policy.backoff()));
        } else {
            escalate(actor, r, t);
        }
    }

    private static void escalate(ActorCell<?> actor, ActorThread r, Throwable t) {
        ActorState<?> parent = actor.lifecycle().parent();
        if (parent instanceof SupervisorCell supervisor) {
            escalate(actor, r, t, supervisor);
        } else {
            // then the failure may be a consequence of the stop, perhaps of the parent's
            boolean wasStopped = actor.discards();
            actor.fail(t);
            if (parent != null && !wasStopped) {
                parent.signal(new FailureBelow(ActorCell.behind(parent), t));
            }
        }
    }

    /** Makes a parent decide about a failure below it. */
    private record FailureBelow(ActorCell<?> parent, Throwable failure) implements Signal {
        @Override
        public void deliver(ActorThread runner) {
            decide(parent, runner, failure);
        }
    }

    /**
     * A restartable child is paused until the supervisor decides. Any other child ends, and the supervisor is notified
     * of its end.
     */
    private static void escalate(ActorCell<?> actor, ActorThread r, Throwable t, SupervisorCell supervisor) {
        boolean decidedByParent = actor.context() != null
                && Restarts.awaitDecision(actor, r, t)
                && supervisor.report(new SupervisorCell.Failed(actor, t));
        if (!decidedByParent) {
            actor.fail(t);
        }
    }
}
