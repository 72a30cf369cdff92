package io.fibry.kernel;

import io.fibry.ActorInfo;
import io.fibry.HandledMessages;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Dispatcher;
import io.fibry.dispatch.PlatformDispatcher;
import io.fibry.dispatch.Worker;
import io.fibry.dispatch.WorkerScheduler;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes a snapshot of an actor from another thread. The actor does not cooperate, so every value is a hint while it
 * runs.
 */
final class ActorSnapshot {

    private static final String LAMBDA = "$$Lambda";

    private ActorSnapshot() {}

    static ActorInfo info(ActorState<?> actor) {
        Lifecycle l = actor.lifecycleIfAny();
        ActorState<?> parent = l == null ? null : l.parent();
        WorkSnapshot work = actor.progress();
        Envelope message = work.current();
        return new ActorInfo(
                Integer.toHexString(System.identityHashCode(actor)),
                actor.name(),
                nameOf(actor.behaviorType()),
                parent == null ? null : parent.name(),
                strategy(actor.dispatcher()),
                state(actor),
                waitsFor(actor),
                l == null ? null : l.mode(),
                work.waiting(),
                message == null ? null : nameOf(message.message.getClass()),
                message == null ? Duration.ZERO : runningFor(actor),
                handled(actor),
                failures(actor),
                restarts(actor),
                l == null ? 0 : l.livingChildren().size(),
                message == null ? List.of() : ownFrames(actor, work.stack()));
    }

    /** The numbers of handled messages, including those that children have taken and the actor has yet to count. */
    static HandledMessages handled(ActorState<?> actor) {
        HandledMessages handled = actor.handledBySource();
        BoundedMailbox bounded = actor.boundedMailbox();
        MailboxHold hold = bounded == null ? null : bounded.holdIfAny();
        return hold == null
                ? handled
                : new HandledMessages(
                        handled.sent() + hold.taken(), handled.timers(), handled.piped(), handled.internal());
    }

    /** The frames of this actor, without the frames of actors that run above it on the same stack. */
    private static List<StackTraceElement> ownFrames(ActorState<?> actor, StackTraceElement[] stack) {
        int[] actors = new int[1];
        ActorThread runner = actor.runner();
        if (runner != null) {
            runner.forEachCurrent(each -> actors[0]++);
        }
        int first = 0;
        for (int i = 0; i < stack.length && actors[0] > 1; i++) {
            if (stack[i].getMethodName().equals("runUntil")
                    && stack[i].getClassName().equals(Worker.class.getName())) {
                actors[0]--;
                first = i + 1;
            }
        }
        return List.of(stack).subList(first, stack.length);
    }

    static ActorInfo.State state(ActorState<?> actor) {
        ActorThread runner = actor.runner();
        if (runner != null) {
            return runner.lentTo() != null ? ActorInfo.State.WAITS_FOR_REPLY : ofWait(WaitGraph.of(actor));
        }
        if (actor.suspended() != null) {
            return ofWait(WaitGraph.of(actor));
        }
        Lifecycle l = actor.lifecycleIfAny();
        if (l == null || (l.mode() == null && !isPaused(l) && WaitGraph.of(actor) == null)) {
            return actor.isIdle() ? ActorInfo.State.IDLE : ActorInfo.State.READY;
        }
        return l.mode() != null ? ActorInfo.State.STOPPING : ActorInfo.State.PAUSED;
    }

    /** The state of an actor that handles a message. */
    private static ActorInfo.State ofWait(WaitGraph.@Nullable Edge wait) {
        return wait == null || wait.awaited() == null ? ActorInfo.State.RUNNING : wait.kind.state;
    }

    private static boolean isPaused(Lifecycle l) {
        Pause pause = l.pauseIfAny();
        return pause != null && pause.isPaused();
    }

    /**
     * The name of the actor that this one waits for: the actor above it on the stack, or the one that their thread
     * waits for. If it waits for the ends of children, their names.
     */
    static @Nullable String waitsFor(ActorState<?> actor) {
        ActorThread runner = actor.runner();
        WaitGraph.Edge wait = WaitGraph.of(actor);
        if (runner != null && runner.lentTo() instanceof ActorState<?> above) {
            return above.name();
        }
        if (runner == null && actor.suspended() == null) {
            return namesOfAwaited(actor, wait);
        }
        ActorState<?> awaited = wait == null ? null : wait.awaited();
        return awaited == null ? null : awaited.name();
    }

    private static @Nullable String namesOfAwaited(ActorState<?> actor, WaitGraph.@Nullable Edge wait) {
        Lifecycle l = actor.lifecycleIfAny();
        Children children = l == null ? null : l.childrenIfAny();
        List<ActorState<?>> awaited = children == null ? List.of() : children.awaited();
        if (!awaited.isEmpty()) {
            return WaitCycle.few(awaited.stream().map(ActorState::name).toList(), ", ");
        }
        return wait == null || wait.kind != WaitGraph.Kind.EXIT
                ? null
                : wait.target().name();
    }

    /** How long the turn in progress has taken; zero if there is none. */
    static Duration runningFor(ActorState<?> actor) {
        return Duration.ofMillis(Math.max(0, runningMillis(actor)));
    }

    /** As {@link #runningFor} in milliseconds, but -1 if there is none. That of a suspended handler is its own. */
    static long runningMillis(ActorState<?> actor) {
        SuspendedMessage suspended = SuspendedMessage.of(actor);
        if (suspended != null) {
            return suspended.millis();
        }
        ActorThread runner = actor.runner();
        return runner == null ? -1 : runner.turnMillis();
    }

    static long failures(ActorState<?> actor) {
        RareState e = rareState(actor);
        return e == null ? 0 : e.failed;
    }

    static long restarts(ActorState<?> actor) {
        RareState e = rareState(actor);
        return e == null ? 0 : e.restarts;
    }

    private static @Nullable RareState rareState(ActorState<?> actor) {
        Lifecycle l = actor.lifecycleIfAny();
        return l == null ? null : l.rareStateIfAny();
    }

    private static String strategy(Dispatcher dispatcher) {
        if (dispatcher instanceof WorkerScheduler) {
            return "virtual";
        }
        return dispatcher instanceof PlatformDispatcher ? "platform" : "pool";
    }

    /** The name of a class; for a lambda, the enclosing class. */
    static String nameOf(Class<?> type) {
        String name = type.getName();
        int lambda = name.indexOf(LAMBDA);
        return lambda < 0 ? name : "lambda in " + name.substring(0, lambda);
    }
}
