package io.fibry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An actor: its mailbox, a reference to what all of its kind share, and, once it needs one, a lifecycle. A subclass adds the
 * behavior. With 40 bytes on a 64-bit JVM with compressed references this is all that an idle actor costs.
 *
 * <p>Whoever holds the consumer's role (see {@link Mailbox}) calls {@link #runTurn}. A turn notices a stop in one of two
 * ways. If it finds the mailbox closed, it asks the lifecycle before every message. If the mailbox was open when it took its
 * messages, the stopper finds the turn's runner, because the runner was announced before the taking and the close came after
 * it, and calls for its attention (see {@link Runner}).
 */
abstract class ActorCell<M> extends Mailbox implements Actor<M>, ActorContext<M> {

    /** Messages in a turn; more does not make it faster, and others wait for it. */
    static final int BATCH = 64;

    private static final VarHandle RUNNER;
    private static final VarHandle LIFECYCLE;

    static {
        try {
            var lookup = MethodHandles.lookup();
            RUNNER = lookup.findVarHandle(ActorCell.class, "runner", Runner.class);
            LIFECYCLE = lookup.findVarHandle(ActorCell.class, "lifecycle", Lifecycle.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final ActorKind kind;

    private volatile @Nullable Runner runner;
    private volatile @Nullable Lifecycle lifecycle;

    ActorCell(ActorKind kind) {
        this.kind = kind;
    }

    /** Handles a message that nobody waits for. */
    abstract void receive(M message) throws Exception;

    /** Handles a message whose sender waits for the result. */
    @Nullable
    Object answer(M message) {
        throw new IllegalStateException("this actor does not reply");
    }

    // ---- sending

    @Override
    public final void tell(M message) {
        send(new Envelope(Objects.requireNonNull(message, "message"), null));
    }

    @Override
    public final void execute(Runnable task) {
        send(new Envelope(Objects.requireNonNull(task, "task"), Reply.OF_TASK));
    }

    private void send(Envelope envelope) {
        if (!offer(envelope)) {
            throw stopped();
        }
    }

    final ActorStoppedException stopped() {
        Lifecycle l = lifecycle;
        return new ActorStoppedException("actor " + name() + " has been stopped", l == null ? null : l.failure());
    }

    /** Hands the actor, whose consumer's role the caller holds, to a thread. */
    @Override
    final void ready() {
        kind.dispatcher().ready(this);
    }

    // ---- handling

    /**
     * Handles messages, up to a batch. The caller holds the consumer's role; it keeps it if the result is true, and then has
     * to see to another turn.
     */
    final boolean runTurn(Runner r) {
        r.begin(this);
        RUNNER.setOpaque(this, r);
        if (hasLeftOver()) {
            VarHandle.fullFence(); // nothing will be taken that would put the announcement before the look at the
            // mailbox
        }
        int budget = BATCH;
        boolean closed = false;
        Envelope next = null;
        while (true) {
            if (next == null) {
                boolean allAccepted = isClosed(); // before the taking: then what is not there will never come
                next = takeAll();
                if (next == null && allAccepted) {
                    end(r);
                    return false;
                }
                closed = isClosed(); // after the taking: a later close finds the runner
            }
            if (next == null) {
                if (withdrawIfIdle(r)) {
                    return false;
                }
            } else if ((closed || r.attentionWanted()) && lifecycle().discards()) {
                discard(next);
                next = null;
            } else if (budget-- == 0) {
                putBack(next);
                withdraw(r);
                return true;
            } else {
                Envelope rest = next.next;
                handle(next);
                next = rest;
            }
        }
    }

    private boolean withdrawIfIdle(Runner r) {
        RUNNER.setOpaque(this, null); // before the role is given up: the next consumer announces its own
        if (becomeIdle()) {
            r.end(lifecycle);
            return true;
        }
        RUNNER.setOpaque(this, r);
        return false;
    }

    private void withdraw(Runner r) {
        RUNNER.setVolatile(this, null);
        r.end(lifecycle);
    }

    @SuppressWarnings("unchecked")
    private void handle(Envelope envelope) {
        Reply<?> reply = envelope.reply;
        try {
            if (reply == null) {
                receive((M) envelope.message);
            } else if (reply == Reply.OF_TASK) {
                ((Runnable) envelope.message).run();
            } else {
                ((Reply<@Nullable Object>) reply).complete(answer((M) envelope.message));
            }
        } catch (Throwable t) {
            failed(reply, t);
        }
        Thread.interrupted(); // an interrupt belongs to one message
    }

    private void failed(@Nullable Reply<?> reply, Throwable t) {
        if (reply != null && reply != Reply.OF_TASK) {
            reply.completeExceptionally(t);
        } else {
            Reports.failure(this, t);
        }
        if (kind.supervision() == Supervision.stop()) {
            fail(t);
        }
    }

    /** Ends the actor as failed. */
    final void fail(Throwable cause) {
        lifecycle().failWith(cause);
        stop(StopMode.DISCARD);
    }

    private void discard(Envelope first) {
        Lifecycle l = lifecycle();
        for (Envelope e = first; e != null; e = e.next) {
            if (e.reply != null && e.reply != Reply.OF_TASK) {
                e.reply.completeExceptionally(stopped());
            }
            l.countDeadLetter();
        }
    }

    // ---- the end

    /** The mailbox is closed and empty: ends the children, then the actor. */
    private void end(Runner r) {
        Lifecycle l = lifecycle();
        StopMode mode = Objects.requireNonNull(l.mode());
        withdraw(r); // the last child to end may pass the consumer's role to another thread
        l.refuseChildren().forEach(child -> child.stop(mode));
        if (!l.childrenGone()) {
            return;
        }
        RUNNER.setVolatile(this, r);
        Runnable hook = l.options.onStop();
        if (hook != null) {
            Reports.guard(this, "stop hook", hook::run);
        }
        l.untie().forEach(this::closeTied);
        Reports.deadLetters(this, l.deadLetters());
        withdraw(r);
        kind.system().remove(this);
        l.exit.complete(l.result());
        leaveParent();
    }

    private void leaveParent() {
        ActorCell<?> parent = lifecycle().options.parent();
        if (parent != null && parent.lifecycle().removeChild(this)) {
            parent.ready();
        }
    }

    /** The actor could not be started. */
    final void abandon() {
        kind.system().remove(this);
        leaveParent();
    }

    private void closeTied(AutoCloseable resource) {
        Reports.guard(this, "resource to close on exit", () -> {
            if (resource instanceof Actor<?> actor) {
                actor.stop();
            } else {
                resource.close();
            }
        });
    }

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
    @SuppressWarnings("ReferenceEquality")
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

    final @Nullable StopMode lifecycleMode() {
        Lifecycle l = lifecycle;
        return l == null ? null : l.mode();
    }

    final boolean hasEnded() {
        Lifecycle l = lifecycle;
        return l != null && l.exit.isDone();
    }

    /** Whether the calling thread is at work in this actor. */
    final boolean isInside() {
        Runner r = runner;
        return r != null && r.isCurrentThread();
    }

    // ---- identity and context

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
