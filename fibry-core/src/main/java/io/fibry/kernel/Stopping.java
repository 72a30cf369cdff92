package io.fibry.kernel;

import io.fibry.ActorExit;
import io.fibry.StopMode;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.Nesting;
import io.fibry.dispatch.OutOfMemory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The operations to stop, pause, close and await an actor, for any thread outside the actor's own turn. */
final class Stopping {

    private static final Consumer<ActorCell<?>> STOP_DESCENDANTS = Stopping::stopDescendants;
    private static final Consumer<ActorCell<?>> STOP_NEW_DESCENDANTS = Stopping::stopNewDescendants;

    private Stopping() {}

    /** Stops an actor for a user. A second interrupt reaches a handler that has swallowed the first one. */
    static void stopOrInterruptAgain(ActorCell<?> actor, StopMode mode) {
        Instrumentation.beforeStep();
        if (mode == StopMode.INTERRUPT && actor.lifecycleMode() == mode) {
            for (ActorState<?> each : actor.family()) {
                interruptAgain(each);
            }
        } else {
            stop(actor, mode);
        }
    }

    /** Interrupts the current turn, if any, of an actor that has been stopped by an interrupt. */
    static void interruptAgain(ActorState<?> actor) {
        Lifecycle l = actor.lifecycle();
        l.lock();
        try {
            if (l.mode() == StopMode.INTERRUPT) {
                callRunner(actor, StopMode.INTERRUPT);
            }
        } finally {
            l.unlock();
        }
    }

    /**
     * Stops an actor, and its descendants if the mode discards. Has no effect on an actor whose mode is at least as
     * hard: several parts of the library may stop it for the same reason.
     *
     * <p>They are stopped in pre-order, by a loop rather than a recursion, since the tree may be deeper than the stack
     * allows. When this method returns, all of them have been stopped: it also visits the descendants of an actor that
     * another thread has just stopped, since that thread may not have reached them yet.
     */
    static void stop(ActorCell<?> actor, StopMode mode) {
        if (hardens(actor, mode)) {
            callHook(actor, mode);
            stopBelow(actor, true);
        }
    }

    /**
     * Stops an actor that has failed, or whose parent is about to end. Skips subtrees that other threads have begun to
     * stop. Otherwise, if many generations end or fail one after the other, each of them would visit all living actors
     * below it.
     */
    static void stopAtEnd(ActorCell<?> actor, StopMode mode) {
        if (hardens(actor, mode)) {
            callHook(actor, mode);
            stopBelow(actor, false);
        }
    }

    /** Children of a draining actor are stopped after its last message; see {@link LastTurn}. */
    private static void stopBelow(ActorCell<?> actor, boolean everyone) {
        if (actor.discards()) { // a further attempt also visits actors below those that the failed one has stopped
            OutOfMemory.repeat(everyone ? STOP_DESCENDANTS : STOP_NEW_DESCENDANTS, STOP_DESCENDANTS, actor);
        }
    }

    private static void stopDescendants(ActorCell<?> actor) {
        stopDescendants(actor, true);
    }

    private static void stopNewDescendants(ActorCell<?> actor) {
        stopDescendants(actor, false);
    }

    private static void stopDescendants(ActorCell<?> actor, boolean everyone) {
        Deque<ActorState<?>> next = new ArrayDeque<>();
        pushChildren(actor, next);
        while (!next.isEmpty()) {
            ActorCell<?> child = ActorCell.behind(next.pop());
            StopMode mode = modeOfParent(child);
            boolean first = hardens(child, mode);
            if (first) {
                callHook(child, mode);
            }
            if (first || everyone) {
                pushChildren(child, next);
            }
        }
    }

    private static void pushChildren(ActorState<?> parent, Deque<ActorState<?>> next) {
        for (ActorState<?> child : parent.lifecycle().livingChildren().reversed()) {
            next.push(child);
        }
    }

    private static StopMode modeOfParent(ActorState<?> child) {
        return Objects.requireNonNull(
                Objects.requireNonNull(child.lifecycle().parent()).lifecycleMode());
    }

    /** Stops this actor alone. Returns false if its mode is already at least as hard. */
    private static boolean hardens(ActorCell<?> actor, StopMode mode) {
        Lifecycle l = actor.lifecycle();
        boolean nowConsumer;
        boolean leaves = false;
        List<Reply<?>> refused = List.of();
        l.lock();
        try {
            if (!l.harden(orHarder(mode, l))) {
                return false;
            }
            if (l.bounded != null) {
                l.bounded.close();
            }
            boolean wasIdle = actor.closeMailbox();
            leaves = wasIdle && LastTurn.leavesAtOnce(actor);
            Pause pause = l.pauseIfAny();
            nowConsumer = (pause != null && pause.release()) || wasIdle; // a stop ends a pause
            nowConsumer |= mode == StopMode.INTERRUPT && interruptsSuspended(actor);
            if (l.discards() && hasPendingWork(actor)) { // a stop that discards does not wait for pending work
                nowConsumer |= l.endWait();
            }
            if (l.discards() && !leaves) {
                callRunner(actor, mode);
                refused = WaitingAsks.of(actor);
            }
        } finally {
            l.unlock();
        }
        if (leaves) {
            LastTurn.endAtOnce(actor);
        } else if (nowConsumer) { // before hooks and children, whose code may wait for the end of this actor
            actor.ready();
        }
        WaitingAsks.refuse(actor, refused);
        RoomFutures futures = l.bounded == null ? null : l.bounded.futures();
        if (futures != null) {
            futures.completeAll(actor.stopped());
        }
        JfrEvents.stops(actor, mode);
        return true;
    }

    private static boolean hasPendingWork(ActorCell<?> actor) {
        CellContext<?, ?> context = actor.context();
        return context != null && context.hasPendingWork();
    }

    private static void callHook(ActorCell<?> actor, StopMode mode) {
        Consumer<StopMode> hook = actor.lifecycle().options.onStopRequested();
        if (hook != null) {
            var call = new HookCall(actor, hook, mode);
            Nesting.run(call, call); // the hook may stop another actor with such a hook
        }
    }

    private record HookCall(ActorCell<?> actor, Consumer<StopMode> hook, StopMode mode) implements Runnable {
        @Override
        public void run() {
            KernelLog.guard(actor, "stop request hook", hook, mode);
        }
    }

    /** A failure that the supervisor can no longer decide becomes the actor's failure. Under the lifecycle's lock. */
    private static StopMode orHarder(StopMode mode, Lifecycle l) {
        Pause pause = l.pauseIfAny();
        Throwable undecided = pause == null ? null : pause.undecided();
        if (undecided == null) {
            return mode;
        }
        l.failWith(undecided);
        return mode == StopMode.DRAIN ? StopMode.DISCARD : mode;
    }

    /** Makes the current turn, if any, check the lifecycle. Under the lifecycle's lock; see {@link ActorThread}. */
    private static void callRunner(ActorState<?> actor, StopMode mode) {
        ActorThread r = actor.runner();
        if (r != null) {
            r.wantAttention();
            if (mode == StopMode.INTERRUPT && actor.runner() == r) {
                noteStack(actor, r);
                r.interrupt();
            }
        }
    }

    /** Interrupts a handler that is suspended. Returns whether the caller now holds the consumer's role. */
    private static boolean interruptsSuspended(ActorState<?> actor) {
        SuspendedMessage suspended = actor.runner() == null ? SuspendedMessage.of(actor) : null;
        return suspended != null && suspended.interrupt();
    }

    /** Throws nothing, and does not wait for memory: the handler may hold it, and its interrupt must follow. */
    private static void noteStack(ActorState<?> actor, ActorThread r) {
        try {
            actor.lifecycle().stuckAt(r.stack());
        } catch (OutOfMemoryError e) {
            OutOfMemory.note();
        }
    }

    // ---- pauses

    /** Requests a pause for the supervisor. The future completes when the pause has begun or the actor was stopped. */
    static CompletableFuture<Void> wantPause(ActorCell<?> actor) {
        Lifecycle l = actor.lifecycle();
        l.lock();
        try {
            return l.mode() == null ? l.pause().want() : CompletableFuture.completedFuture(null);
        } finally {
            l.unlock();
        }
    }

    /**
     * Makes the current turn, or the next one, check whether it has to pause; interrupts it, if requested. The wake-up
     * is sent first, so an interrupted turn does not end before it has checked for the pause and cleared the interrupt.
     */
    static void callForPause(ActorCell<?> actor, boolean interrupt) {
        Lifecycle l = actor.lifecycle();
        boolean nowConsumer = false;
        actor.wakeUp();
        l.lock();
        try {
            ActorThread r = actor.runner();
            if (r != null && l.pause().isWanted()) {
                r.wantAttention();
                if (interrupt && actor.runner() == r) {
                    r.interrupt();
                }
            }
            nowConsumer = interrupt && l.pause().isWanted() && interruptsSuspended(actor);
        } finally {
            l.unlock();
        }
        if (nowConsumer) {
            actor.ready();
        }
    }

    // ---- waiting for the end

    private static void stopUntil(ActorCell<?> actor, Duration deadline) {
        actor.stop();
        if (!actor.hasEnded()) {
            DrainDeadline.set(actor, Durations.deadline(deadline));
        }
    }

    static CompletableFuture<ActorExit> stop(ActorCell<?> actor, Duration deadline) {
        boolean interrupted = actor.lifecycleMode() == StopMode.INTERRUPT;
        stopUntil(actor, deadline);
        return TimedStop.begin(
                deadline, new Ending(actor, interrupted), actor.lifecycle().exit());
    }

    static boolean close(ActorCell<?> actor, Duration deadline) {
        boolean interrupted = actor.lifecycleMode() == StopMode.INTERRUPT;
        Nesting.withoutTurns(() -> stopUntil(actor, deadline)); // a handler on this thread would delay the deadline
        if (isInside(actor)) {
            return actor.hasEnded();
        }
        var ending = new Ending(actor, interrupted);
        boolean insideActor = actor.kind.system().isInsideActor();
        WaitGraph.Edge wait = actor.hasEnded() ? null : WaitGraph.forExit(actor, null);
        if (wait == null) {
            return Closing.await(deadline, ending, insideActor);
        }
        try {
            wait.begin(); // logs a cycle, which the deadline breaks
            return Closing.await(deadline, ending, insideActor);
        } finally {
            wait.end();
        }
    }

    static boolean waitForExit(ActorCell<?> actor, Duration timeout) {
        if (isInside(actor)) {
            throw new IllegalStateException(
                    "actor " + LogText.plain(actor.name()) + " waits for its own end; use exit() instead");
        }
        CompletableFuture<ActorExit> exit = actor.lifecycle().exit();
        if (!exit.isDone() && timeout.equals(Durations.FOREVER)) {
            CompletableFuture<ActorExit> own = exit.copy(); // it fails if another wait completes a cycle
            return waitForExit(actor, own, timeout, WaitGraph.forExit(actor, own));
        }
        return waitForExit(actor, exit, timeout, exit.isDone() ? null : WaitGraph.forExit(actor, null));
    }

    private static boolean waitForExit(
            ActorCell<?> actor, CompletableFuture<ActorExit> exit, Duration timeout, WaitGraph.@Nullable Edge wait) {
        if (wait == null) {
            return Closing.awaitExit(actor, exit, timeout);
        }
        try {
            wait.beginOrThrow();
            return Closing.awaitExit(actor, exit, timeout);
        } finally {
            wait.end();
        }
    }

    /** Whether the calling thread runs this actor, or one that has to end before it. */
    private static boolean isInside(ActorCell<?> actor) {
        return actor.isAmong(actor.kind.system().currentActors());
    }

    /**
     * An actor as seen by {@link Closing}.
     *
     * @param interrupted whether the actor had been interrupted before this close. If not, and a concurrent close
     *     interrupts it first, that interrupt suffices
     */
    private record Ending(ActorCell<?> actor, boolean interrupted, AtomicBoolean givenUp) implements Closing.Ending {
        Ending(ActorCell<?> actor, boolean interrupted) {
            this(actor, interrupted, new AtomicBoolean());
        }

        @Override
        public boolean hasGivenUp() {
            return givenUp.get();
        }

        @Override
        public boolean await(Duration atMost) throws InterruptedException {
            return Closing.await(actor.lifecycle().exit(), atMost);
        }

        @Override
        public void stop(StopMode mode) {
            if (!givenUp.get() && StuckReport.reportStages(actor.family())) {
                givenUp.set(true);
            }
            if (interrupted) {
                stopOrInterruptAgain(actor, mode);
            } else {
                Stopping.stop(actor, mode);
            }
        }

        @Override
        public void reportStuck() {
            StuckReport.report(actor);
        }
    }
}
