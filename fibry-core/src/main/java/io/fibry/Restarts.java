package io.fibry;

import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.Runner;
import java.time.Duration;
import java.util.List;

/** How an actor pauses and restarts, in its own turns. {@link Pause} tells the idea. */
final class Restarts {

    private Restarts() {}

    /** At the begin of a turn: false if it ends here, because somebody else has the consumer's role now, or nobody. */
    static boolean mayGoOn(ActorCell<?> actor, Runner r) {
        Pause pause = actor.lifecycle().pause;
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

    private static boolean pauses(ActorCell<?> actor, Runner r) {
        Lifecycle l = actor.lifecycle();
        actor.withdraw(r);
        l.lock.lock();
        try {
            if (l.pause.isWanted()) {
                actor.kind
                        .system()
                        .registry()
                        .know(actor); // or the end of the system would miss what it has still to handle
                l.pause.pause();
                return true;
            }
            actor.announce(r); // a stop has come in between
            return false;
        } finally {
            l.lock.unlock();
        }
    }

    /** False if the children have to end first; the last of them passes the role on. */
    private static boolean restarts(ActorCell<?> actor, Runner r) {
        Lifecycle l = actor.lifecycle();
        if (l.discards()) {
            l.pause.restartDue(false);
            return true;
        }
        actor.withdraw(r); // the last child to end may pass the role to another thread
        List<ActorState<?>> children = l.children.all();
        while (!children.isEmpty()) {
            List<ActorState<?>> toStop = children;
            actor.unannounced(r, () -> toStop.forEach(child -> child.stop(StopMode.DISCARD)));
            if (!l.children.areGone(toStop)) {
                after(Closing.GRACE, () -> interrupt(toStop)); // one of them may be waiting for an answer of this actor
                return false;
            }
            children = l.children.all(); // others may have been made meanwhile
        }
        actor.announce(r);
        makeBehavior(actor, r);
        actor.registry().forgetIfIdle(actor);
        Thread.interrupted();
        return true;
    }

    private static void interrupt(List<ActorState<?>> children) {
        List<ActorState<?>> slow = alive(children);
        slow.forEach(child -> child.stop(StopMode.INTERRUPT));
        if (!slow.isEmpty()) {
            after(Closing.GRACE, () -> StuckReport.report(alive(slow)));
        }
    }

    private static List<ActorState<?>> alive(List<ActorState<?>> children) {
        return children.stream().filter(child -> !child.hasEnded()).toList();
    }

    private static void makeBehavior(ActorCell<?> actor, Runner r) {
        try {
            actor.makeBehavior();
            actor.lifecycle().pause.restartDue(false);
        } catch (Throwable t) {
            Failures.ofRestart(actor, r, t);
        }
    }

    /** Has the actor restart, after a backoff. By its consumer. */
    static void schedule(ActorCell<?> actor, Runner r, Duration backoff) {
        Pause pause = actor.lifecycle().pause;
        pause.restartDue(true);
        var alarm = new Alarm();
        if (!backoff.isZero() && pause.wantUntil(alarm)) {
            alarm.start(Durations.nanos(backoff), () -> {
                if (pause.release(alarm)) { // if nobody else has ended the pause
                    actor.ready();
                }
            });
        }
        r.wantAttention();
    }

    /** Has the actor pause until its supervisor has decided about a failure; false if it has been stopped. By its consumer. */
    static boolean awaitDecision(ActorCell<?> actor, Runner r, Throwable failure) {
        Lifecycle l = actor.lifecycle();
        l.lock.lock();
        try {
            if (l.mode() != null) {
                return false;
            }
            l.pause.want(failure);
        } finally {
            l.lock.unlock();
        }
        r.wantAttention();
        return true;
    }

    /** Lets an actor go whose consumer's role the caller has claimed, and that has been restarted. */
    static void endClaim(ActorCell<?> actor) {
        Pause pause = actor.lifecycle().pause;
        pause.restartDue(false); // its own policy may have wanted it too
        pause.endClaim();
        actor.ready();
    }

    /** Gives up a claim because the actor could not be restarted: it stays paused, or ends if it has been stopped in the meantime. */
    static void endClaim(ActorCell<?> actor, Throwable failure) {
        Lifecycle l = actor.lifecycle();
        l.pause.pauseAgain(failure);
        if (l.mode() != null) { // after the change: who stops it later finds it paused
            actor.fail(failure);
            if (l.pause.release()) {
                actor.ready();
            }
        }
    }

    static void after(Duration pause, Runnable then) {
        new Alarm().start(Durations.nanos(pause), then);
    }
}
