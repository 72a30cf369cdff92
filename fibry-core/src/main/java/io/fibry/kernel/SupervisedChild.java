package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorExit;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.SupervisorSpec;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.LogText;
import io.fibry.flight.RestartEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A child of a supervisor: its specification and its current actor. Confined to the supervisor's consumer. */
final class SupervisedChild {

    private final SupervisorCell supervisor;
    private final SupervisorSpec.Child spec;

    private volatile @Nullable ActorCell<?> actor;
    private volatile @Nullable Actor<?> handle;

    /** The restart that this child waits for, the latest one if there were several; null for none. */
    private volatile @Nullable Object restart;

    SupervisedChild(SupervisorCell supervisor, SupervisorSpec.Child spec) {
        this.supervisor = supervisor;
        this.spec = spec;
    }

    String name() {
        return spec.name();
    }

    Optional<Actor<?>> handle() {
        return Optional.ofNullable(handle);
    }

    boolean is(ActorCell<?> other) {
        return actor == other;
    }

    boolean isTemporary() {
        return spec.restart() == SupervisorSpec.Restart.TEMPORARY;
    }

    boolean isBeingRestarted() {
        return restart != null;
    }

    /** Sets the restart that the child waits for; null for none. */
    void waitFor(@Nullable Object newRestart) {
        restart = newRestart;
    }

    boolean waitsFor(Object thisRestart) {
        return restart == thisRestart;
    }

    boolean isExpectedToLive() {
        return handle != null || restart != null;
    }

    boolean hasToLiveAfter(ActorExit exit) {
        return switch (spec.restart()) {
            case PERMANENT -> true;
            case TRANSIENT -> !exit.isNormal();
            case TEMPORARY -> false;
        };
    }

    void hasEnded() {
        actor = null;
        handle = null;
    }

    // ---- the start

    /** Restarts the child if it is paused; otherwise starts it. */
    void restart() throws InterruptedException {
        RestartEvent event = JfrEvents.restarts();
        boolean restarted = false;
        try {
            ActorCell<?> a = actor;
            if (a == null) {
                start();
            } else if (a.lifecycle().pause().claim()) {
                restart(a);
            } // otherwise it was stopped during the pause, and the signal of its end will follow
            restart = null;
            restarted = true;
        } finally {
            JfrEvents.restarted(event, name(), restarted);
        }
    }

    Actor<?> start() {
        ActorBuilder<Object> builder =
                supervisor.kind.system().actor(spec.name()).childOf(supervisor).supervision(Supervision.escalate());
        List<ActorState<?>> before = supervisor.lifecycle().livingChildren();
        Actor<?> made;
        try {
            made = make(builder);
        } catch (Throwable t) {
            endHalfStarted(before);
            throw t;
        }
        ActorCell<?> cell = ActorCell.of(made);
        actor = cell;
        handle = made;
        cell.lifecycle().watchers().add(new Watch(supervisor, cell));
        return made;
    }

    /** Sends the end of a child to its supervisor. Not a record, whose hash code would be linked on first use. */
    private static final class Watch implements Watchers.Watcher {
        private final SupervisorCell supervisor;
        private final ActorCell<?> child;

        Watch(SupervisorCell supervisor, ActorCell<?> child) {
            this.supervisor = supervisor;
            this.child = child;
        }

        @Override
        public void ended(ActorExit exit) {
            supervisor.report(new SupervisorCell.Ended(child, exit));
        }
    }

    private Actor<?> make(ActorBuilder<Object> builder) {
        Actor<?> made = spec.start().apply(builder);
        if (made == null || ActorCell.of(made).lifecycle().parent() != supervisor) {
            throw new IllegalStateException("the start function of child " + LogText.plain(spec.name())
                    + " must create its actor with the given builder and return it");
        }
        return made;
    }

    /** Stops the actor of a start function that failed after it had made the actor, which would keep the name. */
    private void endHalfStarted(List<ActorState<?>> before) {
        for (ActorState<?> child : supervisor.lifecycle().livingChildren()) {
            if (!before.contains(child) && child.name().equals(spec.name())) {
                stopInTime(child);
            }
        }
    }

    private void restart(ActorCell<?> claimed) throws InterruptedException {
        try {
            List<ActorState<?>> children = claimed.lifecycle().livingChildren();
            for (ActorState<?> child : children) {
                child.stop(StopMode.DISCARD);
            }
            for (ActorState<?> child : children) {
                awaitEnd(child);
            }
            Restarts.makeBehavior(claimed);
            claimed.lifecycle().rareState().restarts++;
            claimed.kind.counts().restarts.increment();
        } catch (Throwable t) {
            Restarts.endClaim(claimed, t);
            throw t;
        }
        Restarts.endClaim(claimed);
    }

    // ---- pauses

    /**
     * Pauses the child until its restart, or stops it if it cannot be restarted in place. Either way it finishes the
     * current message and handles no other: the state of the group is no longer trusted.
     */
    void pauseOrStop(boolean hasFailed) throws InterruptedException {
        ActorCell<?> a = actor;
        if (a != null && (isTemporary() || a.context() == null || !pauses(a, hasFailed))) {
            stop(a, StopMode.DISCARD);
            hasEnded();
        }
    }

    /**
     * Waits until the actor is paused. Returns false if it has been stopped instead. An actor that has failed pauses by
     * itself.
     */
    private boolean pauses(ActorCell<?> a, boolean hasFailed) throws InterruptedException {
        CompletableFuture<Void> paused = Stopping.wantPause(a);
        if (!hasFailed && !paused.isDone()) {
            Stopping.callForPause(a, spec.stopTimeout().isZero());
        }
        Duration first = hasFailed ? Durations.FOREVER : spec.stopTimeout();
        boolean isOver = await(WaitGraph.Kind.PAUSE, a, paused, first);
        if (!isOver) {
            interruptForPause(a);
            isOver = await(WaitGraph.Kind.PAUSE, a, paused, Closing.GRACE);
        }
        if (!isOver) {
            StuckReport.report(a);
        }
        while (!isOver) {
            Stopping.callForPause(a, true); // repeated: an earlier interrupt may have come between two messages
            isOver = await(WaitGraph.Kind.PAUSE, a, paused, Closing.GRACE);
        }
        return a.lifecycle().pause().isPaused();
    }

    private static void interruptForPause(ActorCell<?> a) {
        // Its own restart may wait for its children, which have to end in any case.
        for (ActorState<?> child : a.lifecycle().livingChildren()) {
            child.stopOnce(StopMode.INTERRUPT);
        }
        Stopping.callForPause(a, true);
    }

    // ---- the end

    /** Stops the child and waits for its end, without a limit. Returns false if the wait was interrupted. */
    boolean stopInTime() {
        ActorCell<?> a = actor;
        return a == null || stopInTime(a);
    }

    private boolean stopInTime(ActorState<?> a) {
        try {
            stop(a, StopMode.DRAIN);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the end of the supervisor waits for the child anyway
            return false;
        }
    }

    private void stop(ActorState<?> a, StopMode inTime) throws InterruptedException {
        a.stopOnce(spec.stopTimeout().isZero() ? StopMode.INTERRUPT : inTime);
        if (!a.hasEnded()) {
            DrainDeadline.set(a, Durations.deadline(spec.stopTimeout()));
        }
        awaitEnd(a);
    }

    /** Waits for the end of a stopped actor, and interrupts it after its stop timeout. */
    private void awaitEnd(ActorState<?> stopped) throws InterruptedException {
        CompletableFuture<ActorExit> exit = stopped.lifecycle().exit();
        boolean hasEnded = await(WaitGraph.Kind.EXIT, stopped, exit, spec.stopTimeout());
        if (!hasEnded) {
            stopped.stopOnce(StopMode.INTERRUPT);
            hasEnded = await(WaitGraph.Kind.EXIT, stopped, exit, Closing.GRACE);
        }
        if (!hasEnded) {
            StuckReport.report(stopped);
            await(WaitGraph.Kind.EXIT, stopped, exit, Durations.FOREVER);
        }
    }

    /** Waits. The wait is an edge in the search for cycles. */
    private static boolean await(WaitGraph.Kind kind, ActorState<?> child, CompletableFuture<?> future, Duration atMost)
            throws InterruptedException {
        WaitGraph.Edge wait = future.isDone() ? null : WaitGraph.ofSupervisor(kind, child);
        if (wait == null) {
            return Closing.await(future, atMost);
        }
        try {
            wait.beginOfSupervisor();
            return Closing.await(future, atMost);
        } finally {
            wait.end();
        }
    }
}
