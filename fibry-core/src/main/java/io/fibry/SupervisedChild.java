package io.fibry;

import io.fibry.dispatch.Durations;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A child of a supervisor: what is said of it, and the actor that it is at present. By the supervisor's consumer. */
final class SupervisedChild {

    private final SupervisorCell supervisor;
    private final SupervisorSpec.Child spec;

    private volatile @Nullable ActorCell<?> actor;
    private volatile @Nullable Actor<?> handle;

    /** The restart that this child waits for; if one has been overtaken by another, the later one. */
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

    /** From now on the child waits for this restart, and for no other; null for none. */
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

    // ---- the beginning

    /** Restarts the child if it is paused; else starts it. */
    void restart() throws InterruptedException {
        ActorCell<?> a = actor;
        if (a == null) {
            start();
        } else if (a.lifecycle().pause.claim()) {
            restart(a);
        } // else somebody has stopped it while it was paused, and its end is about to be told
        restart = null;
    }

    Actor<?> start() {
        ActorBuilder<Object> builder =
                supervisor.kind.system().actor(spec.name()).childOf(supervisor).supervision(Supervision.escalate());
        List<ActorState<?>> before = supervisor.lifecycle().children.all();
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
        cell.lifecycle().watchers.add(exit -> supervisor.signal(runner -> supervisor.ended(cell, exit)));
        return made;
    }

    private Actor<?> make(ActorBuilder<Object> builder) {
        Actor<?> made = spec.start().apply(builder);
        if (made == null || ActorCell.of(made).lifecycle().options.parent() != supervisor) {
            throw new IllegalStateException("the start function of child " + spec.name()
                    + " has to make its actor with the builder that it is given, and return it");
        }
        return made;
    }

    /** The start function has made its actor, and failed afterwards: that actor would keep the name. */
    private void endHalfStarted(List<ActorState<?>> before) {
        for (ActorState<?> child : supervisor.lifecycle().children.all()) {
            if (!before.contains(child) && child.name().equals(spec.name())) {
                stopInTime(child);
            }
        }
    }

    private void restart(ActorCell<?> claimed) throws InterruptedException {
        try {
            List<ActorState<?>> children = claimed.lifecycle().children.all();
            children.forEach(child -> child.stop(StopMode.DISCARD));
            for (ActorState<?> child : children) {
                awaitEnd(child);
            }
            claimed.makeBehavior();
        } catch (Throwable t) {
            Restarts.endClaim(claimed, t);
            throw t;
        }
        Restarts.endClaim(claimed);
    }

    // ---- pauses

    /** Pauses the child until its restart, or stops it. */
    void pauseOrStop(boolean hasFailed) throws InterruptedException {
        ActorCell<?> a = actor;
        if (a != null && (isTemporary() || !a.isRestartable() || !pauses(a, hasFailed))) {
            stop(a);
            hasEnded();
        }
    }

    /** Whether the actor pauses; if not, it has been stopped by somebody. One that has failed is about to do it by itself. */
    private boolean pauses(ActorCell<?> a, boolean hasFailed) throws InterruptedException {
        CompletableFuture<Void> paused = Stopping.wantPause(a);
        if (!hasFailed && !paused.isDone()) {
            Stopping.callForPause(a, spec.shutdown().isZero());
        }
        if (!Closing.await(paused, hasFailed ? Durations.FOREVER : spec.shutdown())) {
            // Its own policy may have it wait for its children, which have to end in any case.
            a.lifecycle().children.all().forEach(child -> child.stop(StopMode.INTERRUPT));
            Stopping.callForPause(a, true);
            if (!Closing.await(paused, Closing.GRACE)) {
                StuckReport.report(a);
                do {
                    Stopping.callForPause(a, true); // again, if the one before came between two messages
                } while (!Closing.await(paused, Closing.GRACE));
            }
        }
        return a.lifecycle().pause.isPaused();
    }

    // ---- the end

    /** Stops the child, and waits for its end, for as long as it may take. */
    void stopInTime() {
        ActorCell<?> a = actor;
        if (a != null) {
            stopInTime(a);
        }
    }

    private void stopInTime(ActorState<?> a) {
        try {
            stop(a);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the supervisor's end waits for the child anyway
        }
    }

    private void stop(ActorState<?> a) throws InterruptedException {
        a.stop(spec.shutdown().isZero() ? StopMode.INTERRUPT : StopMode.DRAIN);
        awaitEnd(a);
    }

    /** Waits for one that has been stopped, and interrupts it when its time is over. */
    private void awaitEnd(ActorState<?> stopped) throws InterruptedException {
        CompletableFuture<ActorExit> exit = stopped.lifecycle().exit;
        if (!Closing.await(exit, spec.shutdown())) {
            stopped.stop(StopMode.INTERRUPT);
            if (!Closing.await(exit, Closing.GRACE)) {
                StuckReport.report(stopped);
                Closing.await(exit, Durations.FOREVER);
            }
        }
    }
}
