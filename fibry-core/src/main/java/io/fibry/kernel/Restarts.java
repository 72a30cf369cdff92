package io.fibry.kernel;

import io.fibry.StopMode;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Makes the behavior of an actor with a context, and requests its pauses and restarts, which {@link RestartTurn} runs.
 * See {@link Pause} for the protocol.
 */
final class Restarts {

    /** Ends the pause of a backoff. The action is idempotent, as {@link Alarm} requires. */
    private static final class EndOfBackoff implements Runnable {
        private static final Consumer<EndOfBackoff> START = EndOfBackoff::start;

        private final ActorCell<?> actor;
        private final long nanos;
        private final Alarm alarm = new Alarm();
        private boolean hasRole;

        EndOfBackoff(ActorCell<?> actor, Duration backoff) {
            this.actor = actor;
            nanos = Durations.nanos(backoff);
        }

        private void start() {
            alarm.start(nanos, this);
        }

        @Override
        public void run() {
            if (!hasRole) {
                hasRole = actor.lifecycle().pause().release(alarm); // false if another thread has ended the pause
            }
            if (hasRole) {
                actor.ready();
            }
        }
    }

    private Restarts() {}

    /**
     * Makes the first behavior. The calling builder holds the consumer's role, and releases it afterwards, unless this
     * method throws. Closes no resources: code that has found the actor by its name may have added some already.
     */
    static void begin(ActorCell<?> actor) {
        try {
            makeInContext(actor);
        } catch (Throwable t) {
            actor.lifecycle().failWith(t);
            Stopping.stopAtEnd(actor, StopMode.DISCARD); // requires no stack: the start has done so
            actor.kind.system().freeName(actor); // the caller may retry with this name before this actor has ended
            actor.releaseRole();
            throw t;
        }
    }

    /** Makes the behavior again, for a restart. Called by the holder of the consumer's role. */
    static void makeBehavior(ActorCell<?> actor) {
        failDeferred(actor);
        closeResources(actor);
        BoundedMailbox bounded = actor.boundedMailbox();
        if (bounded != null) {
            bounded.release();
        }
        if (actor instanceof FunctionCell.Plain<?, ?> plain) {
            plain.reset();
        } else {
            makeInContext(actor);
        }
    }

    private static void makeInContext(ActorCell<?> actor) {
        Objects.requireNonNull(actor.context(), "no behavior to make").makeBehavior();
    }

    /**
     * Fails the asks whose replies the previous behavior has deferred: it can no longer reply. Called by the consumer.
     */
    static void failDeferred(ActorCell<?> actor) {
        Lifecycle l = actor.lifecycleIfAny();
        DeferredReplies deferred = l == null ? null : l.deferredIfAny();
        if (deferred != null) {
            deferred.failAll("actor " + actor.name() + " has been restarted before it replied", null);
        }
    }

    /**
     * Closes the resources of the previous behavior, and waits for them until the end of the grace. They may depend on
     * actors that continue only after this restart, such as this one. Called by the consumer.
     */
    private static void closeResources(ActorCell<?> actor) {
        Lifecycle l = actor.lifecycleIfAny();
        RareState rareState = l == null ? null : l.rareStateIfAny();
        if (rareState != null) {
            long deadline = Time.nanos() + Closing.GRACE.toNanos();
            try {
                LastTurn.closeAll(actor, rareState.untieOfBehavior(deadline));
            } finally {
                rareState.behaviorClosed();
            }
        }
    }

    /**
     * Schedules a restart of the actor: after the backoff, or at once if it drains, since a backoff would then have no
     * benefit. Called by its consumer.
     */
    static void schedule(ActorCell<?> actor, ActorThread r, Duration backoff) {
        failDeferred(actor); // now, rather than after the backoff
        Pause pause = actor.lifecycle().pause();
        pause.restartDue(true);
        var end = new EndOfBackoff(actor, backoff); // before the request, which must not remain without an alarm
        if (!backoff.isZero() && wantUntil(end.alarm, actor.lifecycle())) {
            OutOfMemory.repeat(EndOfBackoff.START, end);
        }
        r.wantAttention();
    }

    /**
     * Requests the pause of a backoff. Returns false if the actor has been stopped. The check of the mode and the
     * request are one step under the lock: a later stop finds the request, and ends it.
     */
    private static boolean wantUntil(Alarm alarm, Lifecycle l) {
        l.lock();
        try {
            return l.mode() == null && l.pause().wantUntil(alarm);
        } finally {
            l.unlock();
        }
    }

    /**
     * Makes the actor pause until its supervisor has decided about a failure. Returns false if it has been stopped.
     * Called by its consumer.
     */
    static boolean awaitDecision(ActorCell<?> actor, ActorThread r, Throwable failure) {
        Lifecycle l = actor.lifecycle();
        l.lock();
        try {
            if (l.mode() != null) {
                return false;
            }
            l.pause().want(failure);
        } finally {
            l.unlock();
        }
        r.wantAttention();
        return true;
    }

    /** Ends the claim on a restarted actor. The caller has claimed its consumer's role. */
    static void endClaim(ActorCell<?> actor) {
        Pause pause = actor.lifecycle().pause();
        pause.restartDue(false); // its own policy may have scheduled a restart too
        pause.endClaim();
        actor.ready();
    }

    /**
     * Releases a claim because the restart failed. The actor stays paused, or ends if it was stopped in the meantime.
     */
    static void endClaim(ActorCell<?> actor, Throwable failure) {
        Lifecycle l = actor.lifecycle();
        l.pause().pauseAgain(failure);
        if (l.mode() != null) { // read after the change: a later stop finds the actor paused
            actor.fail(failure);
            if (l.pause().release()) {
                actor.ready();
            }
        }
    }

    static void after(Duration pause, Runnable then) {
        new Alarm().start(Durations.nanos(pause), then);
    }
}
