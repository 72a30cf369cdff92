package io.fibry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The part of an actor that all threads but its own look at: who it is, and how it is stopped and waited for. {@link Runner}
 * tells how a stop and an interrupt reach a turn that is under way.
 */
abstract class StoppableActor<M> extends Mailbox implements Actor<M> {

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
            RUNNER.setRelease(this, r); // after what it has been reset to
        }
    }

    /** Ends the turn if there is nothing more to take. The runner goes first, since the next consumer announces its own. */
    final boolean withdrawIfIdle(Runner r) {
        r.count((ActorCell<?>) this);
        RUNNER.setOpaque(this, null);
        if (becomeIdle()) { // so it was not closed, and who closes it from now on does not find the runner
            r.end();
            return true;
        }
        RUNNER.setOpaque(this, r);
        return false;
    }

    final void withdraw(Runner r) {
        r.count((ActorCell<?>) this);
        RUNNER.setVolatile(this, null);
        if (isClosed() || Restarts.concernTurn((ActorCell<?>) this)) {
            lifecycle().clearInterrupt(); // perhaps from one who still found the runner, and is about to interrupt it
        }
        r.end();
    }

    /**
     * Runs what calls the hooks of children, between two parts of a turn. The runner is withdrawn, but the thread is known to be
     * inside the actor: a hook that closes it, or its system, must not wait for this very thread.
     */
    final void unannounced(Runner r, Runnable code) {
        r.begin((ActorCell<?>) this);
        code.run();
        Thread.interrupted(); // what hooks have left is not for the next actor
        r.end();
    }

    // ---- stopping

    @Override
    public final void stop(StopMode mode) {
        Objects.requireNonNull(mode, "mode");
        Lifecycle l = lifecycle();
        boolean nowConsumer;
        List<Reply<?>> refused = List.of();
        l.lock.lock();
        try {
            if (!l.harden(orHarder(mode, l))) {
                return;
            }
            if (l.room != null) {
                l.room.close();
            }
            boolean wasIdle = closeMailbox();
            nowConsumer = l.hold.release() || wasIdle; // a stop ends a pause
            if (l.discards()) {
                callRunner(mode);
                refused = waitingAsks(l);
            }
        } finally {
            l.lock.unlock();
        }
        if (nowConsumer) { // before others are told, who may wait for the end
            ready();
        }
        refused.forEach(ask -> ask.completeExceptionally(stopped()));
        Consumer<StopMode> hook = l.options.onStopRequested();
        if (hook != null) {
            Reports.guard(this, "stop request hook", () -> hook.accept(mode));
        }
        if (l.discards()) {
            StopMode hard = Objects.requireNonNull(l.mode());
            l.children.all().forEach(child -> child.stop(hard));
        }
    }

    /** Who waits for a decision about a failure, which nobody will take any more, has failed. Under the lifecycle's lock. */
    private static StopMode orHarder(StopMode mode, Lifecycle l) {
        Throwable undecided = l.hold.undecided();
        if (undecided == null) {
            return mode;
        }
        l.failWith(undecided);
        return mode == StopMode.DRAIN ? StopMode.DISCARD : mode;
    }

    /** The asks that will not be answered, though the message at work may take long. Under the lifecycle's lock. */
    private List<Reply<?>> waitingAsks(Lifecycle l) {
        var asks = new ArrayList<Reply<?>>();
        Consumer<Envelope> collect = envelope -> {
            if (envelope.isAsk()) {
                asks.add(Objects.requireNonNull(envelope.reply));
            }
        };
        forEachWaiting(collect, runner != null);
        l.late.forEach(collect);
        if (l.room != null) {
            l.room.forEach(collect);
        }
        CellContext<?, ?> context = ((ActorCell<?>) this).context();
        if (context != null) {
            context.forEachStashed(collect);
        }
        return asks;
    }

    /** Has the turn that is under way, if any, look at the lifecycle. Under the lifecycle's lock; see {@link Runner}. */
    private void callRunner(StopMode mode) {
        Runner r = runner;
        if (r != null) {
            r.wantAttention();
            if (mode == StopMode.INTERRUPT && runner == r) {
                lifecycle().stuckAt(r.stack());
                r.interrupt();
            }
        }
    }

    /** For the supervisor: asks for a pause. The future completes when it has begun, or when the actor has been stopped. */
    final CompletableFuture<Void> wantPause() {
        Lifecycle l = lifecycle();
        l.lock.lock();
        try {
            return l.mode() == null ? l.hold.want() : CompletableFuture.completedFuture(null);
        } finally {
            l.lock.unlock();
        }
    }

    /**
     * Has the turn that is under way, or the next one, look whether it has to pause; interrupts it, if wanted. The wake-up comes
     * first: then a turn that is interrupted does not end before it has looked, and cleared the interrupt.
     */
    final void callForPause(boolean interrupt) {
        Lifecycle l = lifecycle();
        ((ActorCell<?>) this).wakeUp();
        l.lock.lock();
        try {
            Runner r = runner;
            if (r != null && l.hold.isWanted()) {
                r.wantAttention();
                if (interrupt && runner == r) {
                    r.interrupt();
                }
            }
        } finally {
            l.lock.unlock();
        }
    }

    /** Who runs the turn that is under way. By the behavior. */
    final Runner runnerAtWork() {
        return Objects.requireNonNull(runner);
    }

    /** Where the turn stands that is under way; empty if there is none. */
    final StackTraceElement[] stack() {
        Runner r = runner;
        StackTraceElement[] stack = r == null ? new StackTraceElement[0] : r.stack();
        return runner == r ? stack : new StackTraceElement[0]; // else it is perhaps the next actor's
    }

    /** How far the actor has got. */
    final WorkSnapshot progress() {
        return new WorkSnapshot((ActorCell<?>) this, runner);
    }

    @Override
    final ReentrantLock closing() {
        return lifecycle().lock;
    }

    @Override
    public final void close(Duration deadline) {
        Objects.requireNonNull(deadline, "deadline");
        stop();
        if (!isInside()) {
            Closing.await(deadline, new Ending(), kind.system().isInsideActor());
        }
    }

    /** This actor, for one who closes it. */
    private final class Ending implements Closing.Ending {
        @Override
        public boolean await(Duration atMost) throws InterruptedException {
            return Closing.await(lifecycle().exit, atMost);
        }

        @Override
        public void stop(StopMode mode) {
            StoppableActor.this.stop(mode);
        }

        @Override
        public void reportStuck() {
            StuckReport.report((ActorCell<?>) StoppableActor.this);
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
        return Closing.awaitExit(this, lifecycle().exit, timeout);
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
                Closing.close(this, resource);
            }
        }
    }

    /** This actor or the ancestor of it that is a child of that one; null if that one is no ancestor of this. */
    final @Nullable ActorCell<?> childBelow(ActorCell<?> ancestor) {
        StoppableActor<?> a = this;
        ActorCell<?> parent = parentOf(a);
        while (parent != null && parent != ancestor) {
            a = parent;
            parent = parentOf(a);
        }
        return parent == null ? null : (ActorCell<?>) a;
    }

    private static @Nullable ActorCell<?> parentOf(StoppableActor<?> a) {
        Lifecycle l = a.lifecycle;
        return l == null ? null : l.options.parent();
    }

    /** Where the messages wait, if not in the mailbox itself. */
    final @Nullable WaitingRoom room() {
        Lifecycle l = lifecycle;
        return l == null ? null : l.room;
    }

    final @Nullable Lifecycle lifecycleIfAny() {
        return lifecycle;
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
            if (a == this || a.childBelow((ActorCell<?>) this) != null) {
                return true;
            }
        }
        return false;
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
        String given = l == null ? null : l.options.nameOrLabel();
        return given != null ? given : "actor-" + Integer.toHexString(System.identityHashCode(this));
    }

    @Override
    public final String toString() {
        return name();
    }
}
