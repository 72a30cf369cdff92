package io.fibry;

import io.fibry.dispatch.Runner;
import java.util.List;
import java.util.Objects;

/** The end of an actor: first its children end, then its resources are closed, then its exit completes. Run by its consumer. */
final class LastTurn {

    private LastTurn() {}

    /**
     * Called when the mailbox is closed and empty. Ends the children, then the actor. False if there is still something to
     * handle.
     */
    static boolean endsOrWaits(ActorCell<?> actor, Runner r) {
        Lifecycle l = actor.lifecycle();
        actor.withdraw(r); // the last child to end may pass the consumer's role to another thread
        CellContext<?, ?> context = actor.context();
        if (context != null) {
            ChildMessages.Next first = ChildMessages.nextWithPipes(l, context::hasOpenPipes);
            if (first != ChildMessages.Next.END) {
                return first == ChildMessages.Next.WAIT;
            }
        }
        if (l.refuseChildren()) { // else they have been stopped; only a message or a result has come since
            stopChildren(actor, r, l);
        }
        return switch (ChildMessages.next(l, context == null ? () -> true : context::refusesResults)) {
            case HANDLE -> false;
            case WAIT -> true;
            case END -> {
                end(actor, r, l);
                yield true;
            }
        };
    }

    private static void stopChildren(ActorCell<?> actor, Runner r, Lifecycle l) {
        List<ActorState<?>> children = l.livingChildren();
        StopMode mode = Objects.requireNonNull(l.mode()); // a harder stop from now on finds all children
        if (!children.isEmpty()) {
            actor.unannounced(r, () -> actor.stopChildren(children, mode));
        }
    }

    private static void end(ActorCell<?> actor, Runner r, Lifecycle l) {
        actor.announce(r);
        CellContext<?, ?> context = actor.context();
        if (context != null) {
            context.end()
                    .forEach(stashed ->
                            DeadLetters.end(actor, actor.kind.system().counts(), stashed, DeadLetter.Reason.STASHED));
        }
        Runnable hook = l.options.onStop();
        if (hook != null) {
            Reports.guard(actor, "stop hook", hook::run);
        }
        l.failDeferred(actor::stopped);
        long untold = l.untoldFailures();
        if (untold > 0) {
            Reports.lastFailures(actor, untold);
        }
        l.untie().forEach(resource -> Closing.close(actor, resource));
        actor.withdraw(r);
        r.begin(actor); // watchers run here, and may close the system: the thread must count as inside the actor
        actor.kind.system().remove(actor);
        l.end(actor.handled());
        leaveParent(actor);
        Thread.interrupted(); // an interrupt left by a hook, resource or watcher must not reach the next actor
        r.end();
    }

    private static void leaveParent(ActorCell<?> actor) {
        ActorState<?> parent = actor.lifecycle().parent();
        if (parent != null && actor.registry().removeChild(parent, actor)) {
            parent.ready();
        }
    }

    /** Removes an actor that could not be started. */
    static void abandon(ActorCell<?> actor) {
        actor.kind.system().remove(actor);
        leaveParent(actor);
    }
}
