package io.fibry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The part of an actor that all threads but its own look at: who it is, and how it is stopped and waited for. {@link Runner}
 * tells how a stop and an interrupt reach a turn that is under way.
 */
abstract class StoppableActor<M> extends Mailbox implements Actor<M>, ActorContext<M> {

    private static final VarHandle RUNNER;
    private static final VarHandle LIFECYCLE;

    static {
        try {
            var lookup = MethodHandles.lookup();
            RUNNER = lookup.findVarHandle(StoppableActor.class, "runner", Runner.class);
            LIFECYCLE = lookup.findVarHandle(StoppableActor.class, "lifecycle", Lifecycle.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final ActorKind kind;

    private volatile @Nullable Runner runner;
    private volatile @Nullable Lifecycle lifecycle;

    StoppableActor(ActorKind kind) {
        this.kind = kind;
    }

    /** Hands the actor, whose consumer's role the caller holds, to a thread. */
    @Override
    abstract void ready();

    // ---- turns

    final boolean discards() {
        Lifecycle l = lifecycle;
        return l != null && l.discards();
    }

    final void announce(Runner r) {
        r.begin((ActorCell<?>) this);
        if (hasLeftOver() || room() != null) {
            RUNNER.setVolatile(this, r); // nothing has to be taken that would keep this before the look at the mailbox
        } else {
            RUNNER.setOpaque(this, r);
        }
    }

    /** Ends the turn if there is nothing more to take. The runner goes first, since the next consumer announces its own. */
    final boolean withdrawIfIdle(Runner r) {
        RUNNER.setOpaque(this, null);
        if (becomeIdle()) { // so it was not closed, and who closes it from now on does not find the runner
            r.end();
            return true;
        }
        RUNNER.setOpaque(this, r);
        return false;
    }

    final void withdraw(Runner r) {
        RUNNER.setVolatile(this, null);
        if (isClosed()) { // perhaps by one who still found the runner, and is about to interrupt it
            lifecycle().clearInterrupt();
        }
        r.end();
    }

    // ---- stopping

    @Override
    public final void stop(StopMode mode) {
        Objects.requireNonNull(mode, "mode");
        Lifecycle l = lifecycle();
        boolean nowConsumer = false;
        l.lock.lock();
        try {
            if (!l.harden(mode)) {
                return;
            }
            if (l.room != null) {
                l.room.close();
            }
            nowConsumer = closeMailbox();
            if (mode != StopMode.DRAIN) {
                callRunner(mode);
            }
        } finally {
            l.lock.unlock();
        }
        if (nowConsumer) {
            ready();
        }
        Consumer<StopMode> hook = l.options.onStopRequested();
        if (hook != null) {
            Reports.guard(this, "stop request hook", () -> hook.accept(mode));
        }
        if (mode != StopMode.DRAIN) {
            l.children().forEach(child -> child.stop(mode));
        }
    }

    /** Has the turn that is under way, if any, look at the lifecycle. Under the lifecycle's lock; see {@link Runner}. */
    private void callRunner(StopMode mode) {
        Runner r = runner;
        if (r != null) {
            r.wantAttention();
            if (mode == StopMode.INTERRUPT && runner == r) {
                r.interrupt();
            }
        }
    }

    @Override
    public final void close(Duration deadline) {
        Objects.requireNonNull(deadline, "deadline");
        stop();
        if (!isInside()) {
            Closing.await(deadline, this::awaitExit, this::stop);
        }
    }

    @Override
    public final CompletableFuture<ActorExit> exit() {
        return lifecycle().exit.copy();
    }

    @Override
    public final void waitForExit() {
        waitForExit(Closing.FOREVER);
    }

    @Override
    public final boolean waitForExit(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        if (isInside()) {
            throw new IllegalStateException("actor " + name() + " waits for its own end; use exit() instead");
        }
        try {
            return awaitExit(timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ActorInterruptedException("interrupted while waiting for the end of actor " + name(), e);
        }
    }

    private boolean awaitExit(Duration timeout) throws InterruptedException {
        return Closing.await(lifecycle().exit, timeout);
    }

    @Override
    public Actor<M> closeOnExit(AutoCloseable... resources) {
        tie(resources);
        return this;
    }

    final void tie(AutoCloseable... resources) {
        for (AutoCloseable resource : resources) {
            Objects.requireNonNull(resource, "resource");
            if (!lifecycle().tie(resource)) {
                closeTied(resource);
            }
        }
    }

    /** Where the messages wait, if not in the mailbox itself. */
    final @Nullable WaitingRoom room() {
        Lifecycle l = lifecycle;
        return l == null ? null : l.room;
    }

    final @Nullable StopMode lifecycleMode() {
        Lifecycle l = lifecycle;
        return l == null ? null : l.mode();
    }

    final boolean hasEnded() {
        Lifecycle l = lifecycle;
        return l != null && l.exit.isDone();
    }

    /** Whether the calling thread is at work in this actor, or in one that has to end before this one. */
    private boolean isInside() {
        for (StoppableActor<?> a : kind.system().currentActors()) {
            while (a != null && a != this) {
                Lifecycle l = a.lifecycle;
                a = l == null ? null : l.options.parent();
            }
            if (a != null) {
                return true;
            }
        }
        return false;
    }

    final void closeTied(AutoCloseable resource) {
        Reports.guard(this, "resource to close on exit", () -> {
            if (resource instanceof Actor<?> actor) {
                actor.stop();
            } else {
                resource.close();
            }
        });
    }

    /** Ends the actor as failed. */
    final void fail(Throwable cause) {
        lifecycle().failWith(cause);
        stop(StopMode.DISCARD);
    }

    // ---- identity and context

    final ActorStoppedException stopped() {
        Lifecycle l = lifecycle;
        return new ActorStoppedException("actor " + name() + " has been stopped", l == null ? null : l.failure());
    }

    final Lifecycle lifecycle() {
        Lifecycle l = lifecycle;
        if (l != null) {
            return l;
        }
        var created = new Lifecycle(ActorOptions.NONE);
        return LIFECYCLE.compareAndSet(this, null, created) ? created : Objects.requireNonNull(lifecycle);
    }

    /** Before the actor can be seen by anybody else. */
    final void setOptions(ActorOptions options) {
        lifecycle = new Lifecycle(options);
    }

    @Override
    public final String name() {
        Lifecycle l = lifecycle;
        String given = l == null ? null : l.options.name();
        return given != null ? given : "actor-" + Integer.toHexString(System.identityHashCode(this));
    }

    @Override
    public Actor<M> self() {
        return this;
    }

    @Override
    public final ActorSystem system() {
        return kind.system();
    }

    @Override
    public final ActorBuilder spawn() {
        return system().actor().childOf(this);
    }

    @Override
    public final String toString() {
        return name();
    }
}
