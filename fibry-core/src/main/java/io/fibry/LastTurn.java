package io.fibry;

import io.fibry.dispatch.Runner;
import java.util.List;
import java.util.Objects;

/** How an actor ends: first its children, then what belongs to it, then it is gone for all others. By its consumer. */
final class LastTurn {

    private LastTurn() {}

    /** The mailbox is closed and empty: ends the children, then the actor; false if there is something to handle after all. */
    static boolean endsOrWaits(ActorCell<?> actor, Runner r) {
        Lifecycle l = actor.lifecycle();
        actor.withdraw(r); // the last child to end may pass the consumer's role to another thread
        CellContext<?, ?> context = actor.context();
        if (context != null) {
            ChildMessages.Next first = l.childMessages.nextWithPipes(context::hasOpenPipes);
            if (first != ChildMessages.Next.END) {
                return first == ChildMessages.Next.WAIT;
            }
        }
        List<ActorState<?>> children = l.children.refuseMore();
        StopMode mode = Objects.requireNonNull(l.mode()); // a harder stop from now on finds all children
        actor.unannounced(r, () -> actor.stopChildren(children, mode));
        return switch (l.childMessages.next(children, context == null ? () -> true : context::refusesResults)) {
            case HANDLE -> false;
            case WAIT -> true;
            case END -> {
                end(actor, r, l);
                yield true;
            }
        };
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
        r.begin(actor); // those who hear of the end are told on this thread, and may close the system
        actor.kind.system().remove(actor);
        ActorExit exit = l.result(actor.handled());
        l.exit.complete(exit);
        l.watchers.end(exit);
        leaveParent(actor);
        Thread.interrupted(); // whatever hooks, resources and those who heard of the end have left
        r.end();
    }

    private static void leaveParent(ActorCell<?> actor) {
        ActorState<?> parent = actor.lifecycle().options.parent();
        if (parent != null && actor.registry().removeChild(parent, actor)) {
            parent.ready();
        }
    }

    /** The actor could not be started. */
    static void abandon(ActorCell<?> actor) {
        actor.kind.system().remove(actor);
        leaveParent(actor);
    }
}
