package io.fibry.kernel;

import io.fibry.StopMode;
import io.fibry.dispatch.ActorThread;
import io.fibry.flight.RestartEvent;
import java.util.List;

/** Pauses or restarts an actor at the start of its turn, as {@link Restarts} has requested. */
final class RestartTurn {

    private RestartTurn() {}

    /**
     * Handles a pause or a restart at the start of a turn. Returns false if the turn ends here, because the consumer's
     * role has passed to another thread, or no thread holds it.
     */
    static boolean resume(ActorCell<?> actor, ActorThread r) {
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
            if (!l.rareState().children().areGone(toStop)) {
                Restarts.after(
                        Closing.GRACE, () -> interrupt(toStop)); // one of them may wait for a reply of this actor
                WaitGraph.lookFrom(actor);
                return false;
            }
            children = l.livingChildren(); // others may have been created in the meantime
        }
        actor.announce(r);
        makeBehavior(actor, r);
        actor.registry().forgetIfIdle(actor);
        Thread.interrupted();
        return true;
    }

    private static void interrupt(List<ActorState<?>> children) {
        List<ActorState<?>> slow = alive(children);
        slow.forEach(child -> child.stopOnce(StopMode.INTERRUPT));
        if (!slow.isEmpty()) {
            Restarts.after(Closing.GRACE, () -> StuckReport.report(alive(slow)));
        }
    }

    private static List<ActorState<?>> alive(List<ActorState<?>> children) {
        return children.stream().filter(child -> !child.hasEnded()).toList();
    }

    private static void makeBehavior(ActorCell<?> actor, ActorThread r) {
        RestartEvent restart = JfrEvents.restarts();
        boolean made = false;
        try {
            Restarts.makeBehavior(actor);
            actor.lifecycle().rareState().restarts++;
            actor.kind.counts().restarts.increment();
            made = true;
            actor.lifecycle().pause().restartDue(false);
        } catch (Throwable t) {
            Failures.ofRestart(actor, r, t);
        } finally {
            JfrEvents.restarted(restart, actor, made);
        }
    }
}
