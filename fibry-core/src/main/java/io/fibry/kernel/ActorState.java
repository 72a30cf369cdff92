package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.ContextCarrier.Captured;
import io.fibry.DeadLetter;
import io.fibry.HandledMessages;
import io.fibry.StopMode;
import io.fibry.dispatch.ActorLock;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.AskStage;
import io.fibry.dispatch.AskWait;
import io.fibry.dispatch.BehaviorResource;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.SuspendedHandler;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of an actor that all threads read: the lifecycle, and the runner of the current turn. {@link ActorThread}
 * describes how a stop and an interrupt reach that turn.
 */
abstract class ActorState<M> extends Mailbox implements Actor<M> {

    private static final VarHandle RUNNER;
    private static final VarHandle LIFECYCLE;

    static {
        try {
            var lookup = MethodHandles.lookup();
            RUNNER = lookup.findVarHandle(ActorState.class, "runner", ActorThread.class);
            LIFECYCLE = lookup.findVarHandle(ActorState.class, "lifecycle", Lifecycle.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable ActorThread runner;
    private volatile @Nullable Lifecycle lifecycle;

    @Override
    public final @Nullable AskWait beginWait(AskStage<?> stage, boolean limited) {
        return WaitGraph.beginForStage(stage, limited);
    }

    @Override
    public final @Nullable Object suspend(SuspendedHandler handler) {
        currentRunner().suspends(handler);
        return Reply.NOT_YET;
    }

    /** The message whose handler is suspended; null if there is none. Any thread. */
    final @Nullable Envelope suspended() {
        Envelope e = inHand();
        return e != null && e.isSuspended() ? e : null;
    }

    /** The reply for the result of a suspended handler, or {@link Reply#NOT_YET}. Consumer only. */
    @Nullable
    Object replyFor(@Nullable Object result) {
        return result;
    }

    /** Handles a message whose reply, if it has one, is not the behavior's result. Consumer only. */
    abstract void receive(M message) throws Exception;

    /** The class of the behavior, or of its substitute. Any thread. */
    abstract Class<?> behaviorType();

    /** Releases the behavior and its state at the end of the actor. Idempotent. Consumer only. */
    void releaseBehavior() {}

    /** Handles a message, and returns the exception of its handler, or null. Throws nothing. Consumer only. */
    @Nullable
    abstract Throwable handle(ActorThread r, Envelope envelope);

    /** Processes an exception of a handler. Throws nothing. Consumer only. */
    abstract void handleFailure(ActorThread r, Envelope envelope, Throwable failure);

    abstract MessageInstruments instruments();

    /** The registry of this actor's system. */
    abstract ActorRegistry registry();

    /** Counts ticks of timers that were skipped. */
    abstract void countMissedTicks(long ticks);

    /** Counts and reports a message that the actor has accepted but will not handle. */
    abstract void deadLetter(Object message, DeadLetter.Reason why);

    /** Hands the actor to a thread. The caller holds the consumer's role, and transfers it. */
    @Override
    abstract void ready();

    /** Wraps a message to this actor. */
    final Envelope envelope(Object message, @Nullable Reply<?> reply) {
        return Instrumentation.areInUse()
                ? Instrumentation.envelope(instruments(), this, message, reply)
                : new Envelope(message, reply);
    }

    /** The context of the calling thread, for deferred work of the actor; null if its system has no carrier. */
    final @Nullable Captured captured() {
        return Instrumentation.areInUse()
                ? ContextPropagation.capture(instruments().carrier())
                : null;
    }

    // ---- the current turn

    final void announce(ActorThread r) {
        r.begin(this);
        if (hasLeftOver() || boundedMailbox() != null) {
            // StoreLoad fence: the compare-and-set of takeAll normally orders this store before the read of isClosed,
            // but may not run here.
            RUNNER.setVolatile(this, r);
        } else {
            RUNNER.setRelease(this, r); // StoreStore fence: orders the reset in begin(..) before this store
        }
    }

    /**
     * Ends the turn if the mailbox is empty. The runner is withdrawn before the consumer's role is released, since the
     * next consumer announces its own runner.
     */
    final boolean withdrawIfIdle(ActorThread r) {
        r.count(this);
        RUNNER.setOpaque(this, null);
        if (becomeIdle()) { // the mailbox was open until now, so no stop has found the runner, and no later one will
            r.end();
            return true;
        }
        RUNNER.setOpaque(this, r);
        return false;
    }

    /** Returns whether a stop or a pause has interrupted the turn, which has not seen it. */
    final boolean withdraw(ActorThread r) {
        r.count(this);
        RUNNER.setVolatile(this, null); // StoreLoad fence: orders this before the reads of isClosed and of the pause
        boolean interrupted = (isClosed() || pauseConcernsTurn()) // it may have found the runner, and interrupt it yet
                && lifecycle().clearInterrupt();
        r.end();
        return interrupted;
    }

    /** The runner of the current turn, or null. */
    final @Nullable ActorThread runner() {
        return runner;
    }

    /** The runner of the current turn. Called only inside the behavior. */
    final ActorThread currentRunner() {
        return Objects.requireNonNull(runner);
    }

    /**
     * Whether the calling thread runs the current turn. Only that thread announces its runner and withdraws it, so a
     * thread reads its own runner here only during its turn.
     */
    final boolean isOnThisThread() {
        ActorThread r = runner;
        return r != null && r.isCurrentThread();
    }

    /** The stack of the current turn; empty if there is none. */
    final StackTraceElement[] stack() {
        ActorThread r = runner;
        StackTraceElement[] stack = r == null ? new StackTraceElement[0] : r.stack();
        return runner == r ? stack : new StackTraceElement[0]; // else it may be the stack of another actor
    }

    /** A snapshot of the actor's progress. */
    final WorkSnapshot progress() {
        return new WorkSnapshot(this, runner);
    }

    @Override
    public final @Nullable ActorThread ownRunner() {
        return lifecycle().rareState().ownRunner;
    }

    // ---- its lifecycle

    final Lifecycle lifecycle() {
        Lifecycle l = lifecycle;
        if (l != null) {
            return l;
        }
        var created = new Lifecycle(null, null, ActorOptions.NONE);
        return LIFECYCLE.compareAndSet(this, null, created) ? created : Objects.requireNonNull(lifecycle);
    }

    final @Nullable Lifecycle lifecycleIfAny() {
        return lifecycle;
    }

    /** Sets the name, the parent or the options of the actor. Called only before the actor is published. */
    final void setLifecycle(Lifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    @Override
    final ActorLock closing() {
        return lifecycle();
    }

    @Override
    public final ActorLock interruptLock() {
        return lifecycle();
    }

    /** The queue of waiting messages if the mailbox has a limit or a priority; else null. */
    final @Nullable BoundedMailbox boundedMailbox() {
        Lifecycle l = lifecycle;
        return l == null ? null : l.bounded;
    }

    @Override
    public final CompletableFuture<@Nullable Void> whenWritable() {
        BoundedMailbox bounded = boundedMailbox();
        CompletableFuture<@Nullable Void> future = bounded == null ? null : bounded.awaitRoom();
        if (future != null) {
            return future;
        }
        return isClosed() || bounded != null
                ? CompletableFuture.failedFuture(stopped())
                : CompletableFuture.completedFuture(null);
    }

    @Override
    public final void waitForExit() {
        waitForExit(Durations.FOREVER);
    }

    @Override
    public final OptionalInt mailboxSize() {
        BoundedMailbox bounded = boundedMailbox();
        return bounded == null ? OptionalInt.empty() : OptionalInt.of(bounded.size());
    }

    /** Whether the actor has to pause or to restart before it handles its next message. */
    final boolean pauseConcernsTurn() {
        Lifecycle l = lifecycle;
        Pause pause = l == null ? null : l.pauseIfAny();
        return pause != null && pause.concernsTurn();
    }

    /** The numbers of all messages whose behavior has returned or thrown. Any thread. */
    HandledMessages handledBySource() {
        ContextState context = context();
        return context == null ? new HandledMessages(handled(), 0, 0, 0) : context.handled(handled());
    }

    // ---- only for actors with a context

    /** The context of the behavior; null if the behavior was made without one. */
    @Nullable
    abstract ContextState context();

    /** Whether a timer or the result of a stage is pending for the actor, even if no other code refers to it. */
    final boolean awaitsSomething() {
        ContextState context = context();
        return context != null && context.awaitsSomething();
    }

    /** Passes the stashed messages to the action. Under the lock of the lifecycle. */
    abstract void forEachStashed(Consumer<Envelope> action);

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
        return l != null && l.resultIfEnded() != null;
    }

    /** As {@link #stop(StopMode)}, but a handler that has been interrupted is not interrupted again. */
    abstract void stopOnce(StopMode mode);

    /** Ends the actor with a failure. */
    final void fail(Throwable cause) {
        lifecycle().failWith(cause);
        stopAtEnd(StopMode.DISCARD);
    }

    /** Stops an actor that has failed, or whose parent ends. Does not repeat a stop that another thread has begun. */
    abstract void stopAtEnd(StopMode mode);

    final ActorStoppedException stopped() {
        Lifecycle l = lifecycle;
        return new ActorStoppedException(stoppedMessage(), l == null ? null : l.failure());
    }

    /** The message of an {@link ActorStoppedException}. */
    final String stoppedMessage() {
        return "actor " + name() + " has been stopped" + dispatcher().endedBy();
    }

    @Override
    public final CompletableFuture<ActorExit> exit() {
        return lifecycle().exit().copy();
    }

    @Override
    public Actor<M> closeOnExit(AutoCloseable... resources) {
        tie(resources);
        return this;
    }

    final void tie(AutoCloseable... resources) {
        for (AutoCloseable resource : resources) {
            Objects.requireNonNull(resource, "resource");
            tieToEnd(resource instanceof BehaviorResource r && runsBehavior() ? new OfBehavior(r) : resource);
        }
    }

    /** Ties a resource to the end of the actor, also if it is a {@link BehaviorResource}. */
    final void tieToEnd(AutoCloseable resource) {
        if (!lifecycle().tie(resource)) {
            Closing.close(this, resource);
        }
    }

    /** Whether the calling thread runs a handler of the actor or its factory, in or outside the actor's turns. */
    private boolean runsBehavior() {
        ContextState context = context();
        Pause pause = lifecycle().pauseIfAny();
        ActorState<?> parent = lifecycle().parent();
        return isOnThisThread()
                || (context != null && !context.hasBehavior()) // until the first behavior exists, every thread counts
                || (pause != null && pause.isClaimed() && parent != null && parent.isOnThisThread()); // a restart
    }

    // ---- its parent and its name

    /** The child of {@code ancestor} that is this actor or an ancestor of it; null if {@code ancestor} is not one. */
    final @Nullable ActorState<?> childBelow(ActorState<?> ancestor) {
        return Ancestry.childBelow(ancestor, this);
    }

    /** This actor and its descendants. */
    final List<ActorState<?>> family() {
        List<ActorState<?>> family = new ArrayList<>(List.of(this));
        for (int i = 0; i < family.size(); i++) {
            family.addAll(family.get(i).lifecycle().livingChildren());
        }
        return family;
    }

    /** The place below its parent; null if it has none. */
    final @Nullable Ancestry ancestry() {
        Lifecycle l = lifecycle;
        return l == null ? null : l.ancestry;
    }

    /** Whether one of these actors is this one or a descendant of it, which has to end before this one. */
    final boolean isAmong(List<? extends ActorState<?>> running) {
        for (ActorState<?> each : running) {
            if (each == this || each.childBelow(this) != null) {
                return true;
            }
        }
        return false;
    }

    @Override
    public final String name() {
        Lifecycle l = lifecycle;
        String given = l == null ? null : l.nameOrLabel();
        return given != null ? given : "actor-" + Integer.toHexString(System.identityHashCode(this));
    }

    @Override
    public final String toString() {
        return name();
    }
}
