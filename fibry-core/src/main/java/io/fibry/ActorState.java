package io.fibry;

import io.fibry.dispatch.Runner;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The state of an actor that all threads look at, and what depends on nothing else: its lifecycle, and the runner of the turn that is
 * under way. {@link Runner} tells how a stop and an interrupt reach that turn.
 */
abstract class ActorState<M> extends Mailbox implements Actor<M> {

    private static final VarHandle RUNNER;
    private static final VarHandle LIFECYCLE;

    static {
        try {
            var lookup = MethodHandles.lookup();
            RUNNER = lookup.findVarHandle(ActorState.class, "runner", Runner.class);
            LIFECYCLE = lookup.findVarHandle(ActorState.class, "lifecycle", Lifecycle.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Runner runner;
    private volatile @Nullable Lifecycle lifecycle;

    /** Handles a message that nobody waits for. Consumer only. */
    abstract void receive(M message) throws Exception;

    /** The actors that the system of this one has to know. */
    abstract Registry registry();

    /** Hands the actor, whose consumer's role the caller holds, to a thread. */
    @Override
    abstract void ready();

    // ---- the turn that is under way

    final void announce(Runner r) {
        r.begin(this);
        if (hasLeftOver() || room() != null) {
            // StoreLoad fence: the compare-and-set of takeAll, which normally orders this store before the read of
            // isClosed, may not run.
            RUNNER.setVolatile(this, r);
        } else {
            RUNNER.setRelease(this, r); // StoreStore fence: after what the runner has been reset to
        }
    }

    /** Ends the turn if there is nothing more to take. The runner goes first, since the next consumer announces its own. */
    final boolean withdrawIfIdle(Runner r) {
        r.count(this);
        RUNNER.setOpaque(this, null);
        if (becomeIdle()) { // so it was not closed, and who closes it from now on does not find the runner
            r.end();
            return true;
        }
        RUNNER.setOpaque(this, r);
        return false;
    }

    final void withdraw(Runner r) {
        r.count(this);
        RUNNER.setVolatile(this, null); // StoreLoad fence: before the reads of isClosed and of the pause
        if (isClosed() || pauseConcernsTurn()) {
            lifecycle().clearInterrupt(); // perhaps from one who still found the runner, and is about to interrupt it
        }
        r.end();
    }

    /**
     * Runs what calls the hooks of children, between two parts of a turn. The runner is withdrawn, but the thread is known to be
     * inside the actor: a hook that closes it, or its system, must not wait for this very thread.
     */
    final void unannounced(Runner r, Runnable code) {
        r.begin(this);
        code.run();
        Thread.interrupted(); // what hooks have left is not for the next actor
        r.end();
    }

    /** Who runs the turn that is under way, if any. */
    final @Nullable Runner runner() {
        return runner;
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
        return new WorkSnapshot(this, runner);
    }

    @Override
    public final @Nullable Runner ownRunner() {
        return lifecycle().ownRunner;
    }

    // ---- its lifecycle

    final Lifecycle lifecycle() {
        Lifecycle l = lifecycle;
        if (l != null) {
            return l;
        }
        var created = new Lifecycle(ActorOptions.NONE);
        return LIFECYCLE.compareAndSet(this, null, created) ? created : Objects.requireNonNull(lifecycle);
    }

    final @Nullable Lifecycle lifecycleIfAny() {
        return lifecycle;
    }

    /** Before the actor can be seen by anybody else. */
    final void setOptions(ActorOptions options) {
        lifecycle = new Lifecycle(options);
    }

    @Override
    final ReentrantLock closing() {
        return lifecycle().lock;
    }

    @Override
    public final ReentrantLock interruptLock() {
        return lifecycle().lock;
    }

    /** Where the messages wait, if not in the mailbox itself. */
    final @Nullable WaitingRoom room() {
        Lifecycle l = lifecycle;
        return l == null ? null : l.room;
    }

    /** Whether the actor has to pause or to restart before it handles its next message. */
    final boolean pauseConcernsTurn() {
        Lifecycle l = lifecycle;
        return l != null && l.pause.concernsTurn();
    }

    /** Whether something will come to the actor though nobody else knows it: a tick, or the result of a stage. */
    abstract boolean awaitsSomething();

    // ---- its end

    final boolean discards() {
        Lifecycle l = lifecycle;
        return l != null && l.discards();
    }

    final @Nullable StopMode lifecycleMode() {
        Lifecycle l = lifecycle;
        return l == null ? null : l.mode();
    }

    @Override
    public final boolean hasEnded() {
        Lifecycle l = lifecycle;
        return l != null && l.exit.isDone();
    }

    /** Ends the actor as failed. */
    final void fail(Throwable cause) {
        lifecycle().failWith(cause);
        stop(StopMode.DISCARD);
    }

    final ActorStoppedException stopped() {
        Lifecycle l = lifecycle;
        return new ActorStoppedException("actor " + name() + " has been stopped", l == null ? null : l.failure());
    }

    @Override
    public final CompletableFuture<ActorExit> exit() {
        return lifecycle().exit.copy();
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

    // ---- its place and its name

    /** This actor or the ancestor of it that is a child of that one; null if that one is no ancestor of this. */
    final @Nullable ActorState<?> childBelow(ActorState<?> ancestor) {
        ActorState<?> a = this;
        ActorState<?> parent = parentOf(a);
        while (parent != null && parent != ancestor) {
            a = parent;
            parent = parentOf(a);
        }
        return parent == null ? null : a;
    }

    private static @Nullable ActorState<?> parentOf(ActorState<?> a) {
        Lifecycle l = a.lifecycle;
        return l == null ? null : l.options.parent();
    }

    /** Whether one of these is this actor, or one that has to end before this one. */
    final boolean isAmong(List<? extends ActorState<?>> atWork) {
        return atWork.stream().anyMatch(a -> a == this || a.childBelow(this) != null);
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
