package io.fibry.kernel;

import io.fibry.ActorExit;
import io.fibry.DeadLetter;
import io.fibry.StopMode;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.OutOfMemory;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The end of an actor: first its children end, then its resources are closed, then its exit completes. Run by its
 * consumer.
 */
final class LastTurn {

    private static final BiConsumer<ActorCell<?>, ActorThread> STOP_CHILDREN = LastTurn::stopChildren;
    private static final BiConsumer<ActorCell<?>, Envelope> DISCARD_STASHED = LastTurn::discardStashed;
    private static final BiConsumer<ActorCell<?>, AutoCloseable> CLOSE = Closing::close;
    private static final Consumer<ActorCell<?>> EXIT = LastTurn::exit;

    private LastTurn() {}

    /** Called when the mailbox is closed and empty. Returns whether another turn has to follow. */
    static boolean hasMore(ActorCell<?> actor, ActorThread r, @Nullable Future<?> awaited) {
        if (awaited != null) { // on the stack of a waiting actor: leave the stop hooks to another turn
            actor.withdraw(r);
            return true;
        }
        return !endsOrWaits(actor, r);
    }

    /** Ends the children, then the actor. Returns false if there is still a message to handle. */
    private static boolean endsOrWaits(ActorCell<?> actor, ActorThread r) {
        Lifecycle l = actor.lifecycle();
        actor.withdraw(r); // the last child to end may pass the consumer's role to another thread
        CellContext<?, ?> context = actor.context();
        if (context != null) {
            BoundedMailbox bounded = actor.boundedMailbox();
            boolean isHeld = bounded != null && bounded.isHeld();
            ChildMessages.Next first = ChildMessages.nextWithPending(l, isHeld, context);
            if (first != ChildMessages.Next.END) {
                return first == ChildMessages.Next.WAIT;
            }
            if (bounded != null && bounded.release()) { // no pending work is left that could release it
                return false;
            }
        }
        if (!l.refusesChildren()) {
            DrainDeadline.passOn(actor);
        }
        // otherwise the children have been stopped, and a message or a result has arrived since
        if (l.refuseChildren()) {
            OutOfMemory.repeat(STOP_CHILDREN, actor, r); // no later turn stops them
        }
        return switch (ChildMessages.next(l, context)) {
            case HANDLE -> false;
            case WAIT -> true;
            case END -> {
                end(actor, r);
                yield true;
            }
        };
    }

    private static void stopChildren(ActorCell<?> actor, ActorThread r) {
        Lifecycle l = actor.lifecycle();
        List<ActorState<?>> children = l.livingChildren();
        StopMode mode = Objects.requireNonNull(l.mode()); // a harder stop from now on finds all children
        if (!children.isEmpty()) {
            beginStep(actor, r);
            try {
                actor.stopChildren(children, mode);
            } finally {
                endStep(r);
            }
        }
    }

    /** The steps of the end, in order. A step that runs out of memory is repeated, so that none is skipped. */
    private enum Step implements BiConsumer<ActorCell<?>, ActorThread> {
        STASHED,
        HOOK,
        DEFERRED,
        FAILURES,
        RESOURCES,
        REGISTRY,
        EXIT,
        PARENT;

        @Override
        public void accept(ActorCell<?> actor, ActorThread r) {
            take(this, actor, r);
        }
    }

    private static final Step[] STEPS = Step.values();

    /** The steps of {@link #abandon}; the same rule applies. */
    private enum UndoStep implements Consumer<ActorCell<?>> {
        REGISTRY,
        PARENT,
        EXIT,
        THREAD;

        @Override
        public void accept(ActorCell<?> actor) {
            take(this, actor);
        }
    }

    private static final UndoStep[] UNDO_STEPS = UndoStep.values();

    private static void end(ActorCell<?> actor, ActorThread r) {
        actor.announce(r);
        for (Step step : STEPS) {
            OutOfMemory.repeat(step, actor, r);
        }
        endStep(r);
    }

    /**
     * Begins a step without an announced runner, which calls the hooks of children. The thread counts as inside the
     * actor until {@link #endStep}: a hook that closes the actor or its system must not wait for its own thread.
     */
    static void beginStep(ActorCell<?> actor, ActorThread r) {
        r.begin(actor);
    }

    static void endStep(ActorThread r) {
        Thread.interrupted(); // an interrupt left by a hook, resource or watcher must not reach the next actor
        r.end();
    }

    private static void take(Step step, ActorCell<?> actor, ActorThread r) {
        Lifecycle l = actor.lifecycle();
        switch (step) {
            case STASHED -> endStashed(actor);
            case HOOK -> {
                Consumer<ActorExit> hook = l.options.onStop();
                if (hook != null) {
                    interruptIfOwed(l);
                    ActorExit exit = l.result(handled(actor)); // its counts are final: no message is left
                    KernelLog.guard(actor, "stop hook", hook, exit);
                }
            }
            case DEFERRED -> {
                DeferredReplies deferred = l.deferredIfAny();
                if (deferred != null) {
                    deferred.failAll(actor.stoppedMessage(), l.failure());
                }
            }
            case FAILURES -> {
                long suppressed = l.suppressedFailures();
                if (suppressed > 0) {
                    KernelLog.lastFailures(actor, suppressed);
                }
            }
            case RESOURCES -> {
                interruptIfOwed(l);
                closeAll(actor, l.untie());
            }
            case REGISTRY -> {
                actor.withdraw(r);
                r.begin(actor); // watchers run here, and may close the system: the thread must count as inside the
                // actor
                actor.kind.system().remove(actor);
            }
            case EXIT -> exit(actor);
            case PARENT -> leaveParent(actor);
        }
    }

    /**
     * Interrupts the calling thread if the actor has been stopped by an interrupt. The interrupt may have come while no
     * thread was running the actor, or may have been consumed by a handler; the code that runs now has to be
     * interrupted, too. The runner has been announced, and a stopper sets the mode and reads the runner under the same
     * lock: either it finds the runner and interrupts it, or its mode is seen here.
     */
    private static void interruptIfOwed(Lifecycle l) {
        l.lock();
        try {
            if (l.mode() == StopMode.INTERRUPT) {
                Thread.currentThread().interrupt();
            }
        } finally {
            l.unlock();
        }
    }

    private static void endStashed(ActorCell<?> actor) {
        CellContext<?, ?> context = actor.context();
        List<Envelope> stashed = context == null ? List.of() : context.end();
        for (int i = 0; i < stashed.size(); i++) {
            OutOfMemory.repeat(DISCARD_STASHED, actor, stashed.get(i));
        }
    }

    private static void discardStashed(ActorCell<?> actor, Envelope stashed) {
        DeadLetters.end(actor, stashed, DeadLetter.Reason.STASHED);
    }

    static void closeAll(ActorCell<?> actor, List<AutoCloseable> resources) {
        for (int i = 0; i < resources.size(); i++) {
            OutOfMemory.repeat(CLOSE, actor, resources.get(i));
        }
    }

    private static void leaveParent(ActorCell<?> actor) {
        ActorState<?> parent = actor.lifecycle().parent();
        if (parent != null && actor.registry().removeChild(parent, actor)) {
            parent.ready();
        }
    }

    /**
     * Whether an idle actor needs no last turn: it has no message, and no hook, child, resource or registration. If so,
     * it refuses children, messages and resources from now on. The caller holds the lock of the lifecycle and the
     * consumer's role, and calls {@link #endAtOnce}.
     */
    static boolean leavesAtOnce(ActorCell<?> actor) {
        Lifecycle l = actor.lifecycle();
        return actor.context() == null
                && l.options == ActorOptions.NONE
                && !l.holdsSomething()
                && l.rareStateIfAny() == null
                && l.untie().isEmpty();
    }

    /** Ends an actor that {@linkplain #leavesAtOnce leaves at once}, without its lock. */
    static void endAtOnce(ActorCell<?> actor) {
        OutOfMemory.repeat(EXIT, actor);
    }

    private static void exit(ActorCell<?> actor) {
        actor.releaseBehavior(); // first: this step is repeated if it runs out of memory
        JfrEvents.ends(actor);
        actor.lifecycle().end(handled(actor));
    }

    private static long handled(ActorCell<?> actor) {
        return actor.handledBySource().total();
    }

    /**
     * Ends an actor that could not be started. If it has been registered, a concurrent close that has seen it does not
     * wait forever: its exit completes here, or in the turn that the close has caused. A close that has seen nothing
     * but this actor looks again.
     */
    static void abandon(ActorCell<?> actor) {
        for (UndoStep step : UNDO_STEPS) {
            OutOfMemory.repeat(step, actor);
        }
        actor.kind.system().turnsEnded();
    }

    private static void take(UndoStep step, ActorCell<?> actor) {
        switch (step) {
            case REGISTRY -> actor.registry().remove(actor);
            case PARENT -> leaveParent(actor);
            case EXIT -> actor.lifecycle().end(0);
            case THREAD -> {
                if (actor.ownRunner() != null) {
                    actor.dispatcher().abandon(actor);
                }
            }
        }
    }
}
