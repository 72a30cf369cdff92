package io.fibry;

import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A child of a supervisor: what is said of it, and the actor that it is at present. By the supervisor's consumer. */
final class SupervisedChild {

    /** Between the interrupts of a child that does not pause. */
    private static final Duration BETWEEN_INTERRUPTS = Duration.ofSeconds(1);

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

    /** Has the child begin again, if it rests; else starts it. */
    void begin() throws InterruptedException {
        ActorCell<?> a = actor;
        if (a == null) {
            start();
        } else if (a.lifecycle().hold.claim()) {
            beginAnew(a);
        } // else somebody has stopped it while it rested, and its end is about to be told
        restart = null;
    }

    Actor<?> start() {
        ActorBuilder<Object> builder =
                supervisor.kind.system().actor(spec.name()).childOf(supervisor).supervision(Supervision.escalate());
        List<ActorCell<?>> before = supervisor.lifecycle().children.all();
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
    private void endHalfStarted(List<ActorCell<?>> before) {
        for (ActorCell<?> child : supervisor.lifecycle().children.all()) {
            if (!before.contains(child) && child.name().equals(spec.name())) {
                stopInTime(child);
            }
        }
    }

    private void beginAnew(ActorCell<?> claimed) throws InterruptedException {
        try {
            List<ActorCell<?>> children = claimed.lifecycle().children.all();
            children.forEach(child -> child.stop(StopMode.DISCARD));
            for (ActorCell<?> child : children) {
                awaitEnd(child);
            }
            claimed.renew();
        } catch (Throwable t) {
            Restarts.endClaim(claimed, t);
            throw t;
        }
        Restarts.endClaim(claimed);
    }

    // ---- rest

    /** Brings the child to rest until it begins again: paused, or ended. */
    void quiesce(boolean hasFailed) throws InterruptedException {
        ActorCell<?> a = actor;
        if (a != null && (isTemporary() || !a.isRenewable() || !pauses(a, hasFailed))) {
            stop(a);
            hasEnded();
        }
    }

    /** Whether the actor pauses; if not, it has been stopped by somebody. One that has failed is about to do it by itself. */
    private boolean pauses(ActorCell<?> a, boolean hasFailed) throws InterruptedException {
        CompletableFuture<Void> paused = a.wantPause();
        if (!hasFailed && !paused.isDone()) {
            a.callForPause(spec.shutdown().isZero());
        }
        if (!Closing.await(paused, hasFailed ? Durations.FOREVER : spec.shutdown())) {
            // Its own policy may have it wait for its children, which have to end in any case.
            a.lifecycle().children.all().forEach(child -> child.stop(StopMode.INTERRUPT));
            a.callForPause(true);
            if (!Closing.await(paused, BETWEEN_INTERRUPTS)) {
                StuckReport.report(a);
                do {
                    a.callForPause(true); // again, if the one before came between two messages
                } while (!Closing.await(paused, BETWEEN_INTERRUPTS));
            }
        }
        return a.lifecycle().hold.isPaused();
    }

    // ---- the end

    /** Stops the child, and waits for its end, for as long as it may take. */
    void stopInTime() {
        ActorCell<?> a = actor;
        if (a != null) {
            stopInTime(a);
        }
    }

    private void stopInTime(ActorCell<?> a) {
        try {
            stop(a);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the supervisor's end waits for the child anyway
        }
    }

    private void stop(ActorCell<?> a) throws InterruptedException {
        a.stop(spec.shutdown().isZero() ? StopMode.INTERRUPT : StopMode.DRAIN);
        awaitEnd(a);
    }

    /** Waits for one that has been stopped, and interrupts it when its time is over. */
    private void awaitEnd(ActorCell<?> stopped) throws InterruptedException {
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
