package io.fibry.kernel;

import io.fibry.StopMode;
import io.fibry.dispatch.ActorThread;
import io.fibry.flight.RestartEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * Pauses or restarts an actor at the start of its turn, as {@link Restarts} has requested. No lambda is linked here: an
 * actor may restart for the first time while memory is exhausted, and the JVM does not retry a linkage.
 */
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
            stop(children, actor, r);
            if (!l.rareState().children().areGone(children)) {
                // one of them may wait for a reply of this actor
                Restarts.after(Closing.GRACE, new Interrupt(children));
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

    private static void stop(List<ActorState<?>> children, ActorCell<?> actor, ActorThread r) {
        LastTurn.beginStep(actor, r);
        try {
            for (ActorState<?> child : children) {
                child.stop(StopMode.DISCARD);
            }
        } finally {
            LastTurn.endStep(r);
        }
    }

    /** Interrupts the children that have not ended. */
    private record Interrupt(List<ActorState<?>> children) implements Runnable {
        @Override
        public void run() {
            List<ActorState<?>> slow = alive(children);
            for (ActorState<?> child : slow) {
                child.stopOnce(StopMode.INTERRUPT);
            }
            if (!slow.isEmpty()) {
                Restarts.after(Closing.GRACE, new Report(slow));
            }
        }
    }

    /** Reports the children that have not ended although they were interrupted. */
    private record Report(List<ActorState<?>> children) implements Runnable {
        @Override
        public void run() {
            StuckReport.report(alive(children));
        }
    }

    private static List<ActorState<?>> alive(List<ActorState<?>> children) {
        var alive = new ArrayList<ActorState<?>>();
        for (ActorState<?> child : children) {
            if (!child.hasEnded()) {
                alive.add(child);
            }
        }
        return alive;
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
