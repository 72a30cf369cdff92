package io.fibry.kernel;

import io.fibry.ActorStoppedException;
import io.fibry.StopMode;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.flight.RestartEvent;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Begins, pauses and restarts an actor with a context, in its own turns. See {@link Pause} for the protocol. */
final class Restarts {

    private Restarts() {}

    /**
     * Makes the first behavior. The calling builder holds the consumer's role, and releases it afterwards, unless this
     * method throws.
     */
    static void begin(ActorCell<?> actor) {
        try {
            makeBehavior(actor);
        } catch (Throwable t) {
            actor.fail(t);
            actor.kind.system().freeName(actor); // the caller may retry with this name before this actor has ended
            actor.releaseRole();
            throw t;
        }
    }

    /** Makes the behavior, also for a restart. Called by the holder of the consumer's role. */
    static void makeBehavior(ActorCell<?> actor) {
        failDeferred(actor);
        BoundedMailbox room = actor.waitingRoom();
        if (room != null) {
            room.release();
        }
        Objects.requireNonNull(actor.context(), "no behavior to make").makeBehavior();
    }

    /**
     * Handles a pause or a restart at the start of a turn. Returns false if the turn ends here, because the consumer's
     * role has passed to another thread, or no thread holds it.
     */
    static boolean resumeTurn(ActorCell<?> actor, ActorThread r) {
        Pause pause = actor.lifecycle().pause();
        while (pause.concernsTurn()) {
            if (pause.isWanted() && pauses(actor, r)) {
                return false;
            }
            if (pause.isRestartDue() && !restarts(actor, r)) {
                return false;
            }
        }
        return true;
    }

    private static boolean pauses(ActorCell<?> actor, ActorThread r) {
        Lifecycle l = actor.lifecycle();
        WaitGraph.Edge forSupervisor =
                l.parent() instanceof SupervisorCell parent ? WaitGraph.held(WaitGraph.Kind.DECISION, parent) : null;
        actor.withdraw(r);
        l.lock();
        try {
            if (!l.pause().isWanted()) {
                actor.announce(r); // a stop has ended the pause in the meantime
                return false;
            }
            // A close of the system has to wait for the remaining messages of this actor.
            actor.kind.system().registry().know(actor);
            l.pause().pause(forSupervisor);
        } finally {
            l.unlock();
        }
        WaitGraph.lookFrom(actor);
        return true;
    }

    /** Returns false if children have to end first. The role passes to the last of them. */
    private static boolean restarts(ActorCell<?> actor, ActorThread r) {
        Lifecycle l = actor.lifecycle();
        if (l.discards()) {
            l.pause().restartDue(false);
            return true;
        }
        actor.withdraw(r); // the last child to end may pass the role to another thread
        List<ActorState<?>> children = l.livingChildren();
        while (!children.isEmpty()) {
            List<ActorState<?>> toStop = children;
            actor.unannounced(r, () -> toStop.forEach(child -> child.stop(StopMode.DISCARD)));
            if (!l.extras().children().areGone(toStop)) {
                after(Closing.GRACE, () -> interrupt(toStop)); // one of them may wait for a reply of this actor
                WaitGraph.lookFrom(actor);
                return false;
            }
            children = l.livingChildren(); // others may have been created in the meantime
        }
        actor.announce(r);
        makeBehaviorAgain(actor, r);
        actor.registry().forgetIfIdle(actor);
        Thread.interrupted();
        return true;
    }

    private static void interrupt(List<ActorState<?>> children) {
        List<ActorState<?>> slow = alive(children);
        slow.forEach(child -> child.stopOnce(StopMode.INTERRUPT));
        if (!slow.isEmpty()) {
            after(Closing.GRACE, () -> StuckReport.report(alive(slow)));
        }
    }

    private static List<ActorState<?>> alive(List<ActorState<?>> children) {
        return children.stream().filter(child -> !child.hasEnded()).toList();
    }

    private static void makeBehaviorAgain(ActorCell<?> actor, ActorThread r) {
        RestartEvent restart = JfrEvents.restarts();
        boolean made = false;
        try {
            makeBehavior(actor);
            actor.lifecycle().extras().restarts++;
            actor.kind.system().counts().restarts.increment();
            made = true;
            actor.lifecycle().pause().restartDue(false);
        } catch (Throwable t) {
            Failures.ofRestart(actor, r, t);
        } finally {
            JfrEvents.restarted(restart, actor, made);
        }
    }

    /**
     * Fails the asks whose replies the previous behavior has deferred: it can no longer reply. Called by the consumer.
     */
    static void failDeferred(ActorCell<?> actor) {
        Lifecycle l = actor.lifecycleIfAny();
        if (l != null) {
            l.failDeferred(() ->
                    new ActorStoppedException("actor " + actor.name() + " has been restarted before it replied", null));
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
        var alarm = new Alarm();
        if (!backoff.isZero() && wantUntil(alarm, actor.lifecycle())) {
            startAlarm(actor, alarm, backoff);
        }
        r.wantAttention();
    }

    /**
     * Starts the alarm that ends the pause. Retries on {@link OutOfMemoryError}, since the pause has already been
     * requested.
     */
    private static void startAlarm(ActorCell<?> actor, Alarm alarm, Duration backoff) {
        boolean started = false;
        while (!started) {
            try {
                alarm.start(Durations.nanos(backoff), () -> {
                    if (actor.lifecycle().pause().release(alarm)) { // unless another thread has ended the pause
                        actor.ready();
                    }
                });
                started = true;
            } catch (OutOfMemoryError e) {
                OutOfMemory.pause();
            }
        }
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
