package io.fibry.kernel;

import io.fibry.ActorExit;
import io.fibry.StopMode;
import io.fibry.dispatch.ActorLock;
import io.fibry.dispatch.LogLimit;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The termination state of an actor, and rarely used features. Created on first use. The state only advances: accepting
 * (no mode), stopping (a mode, which only gets harder), and then through the {@link Ending} to the result.
 *
 * <p>It is also the actor's lock. A stop holds it while it changes the mode and requests the runner's attention. It is
 * never held while user code runs, and no thread holds the locks of two actors.
 *
 * <p><b>Allocation.</b> An actor with a name, a parent or a hook has this object from its start: 64 bytes, with the
 * links that register it with its parent or its system. It also has {@link ActorOptions} if it has options other than a
 * name and a parent, an {@link Ancestry} if it has a parent, and a {@link BoundedMailbox} if its mailbox has a limit or
 * a priority. Everything else is in the {@link RareState}, and each part is allocated on first use: the set of children
 * with the first child, the watchers with the first watcher, the future of the exit when it is requested. An actor that
 * uses none of these parts allocates none.
 */
@SuppressWarnings("serial") // inherited from the lock; never serialized
final class Lifecycle extends ActorLock {

    /** The steps between the last message and the end. */
    private enum Ending {
        REFUSES_CHILDREN,
        /** Refuses messages to itself. */
        REFUSES_MESSAGES,
        REFUSES_RESOURCES
    }

    private static final VarHandle RARE_STATE;

    static {
        try {
            RARE_STATE = MethodHandles.lookup().findVarHandle(Lifecycle.class, "rareState", RareState.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final @Nullable String name;

    /** The position below the parent; null for a root. */
    final @Nullable Ancestry ancestry;

    final ActorOptions options;

    /** The queue of waiting messages if the mailbox has a limit or a priority; else null. */
    final @Nullable BoundedMailbox bounded;

    /** The neighbors in the {@link ActorList} that the actor is in. Guarded by the lock of that list. */
    @Nullable
    ActorState<?> next;

    @Nullable
    ActorState<?> previous;

    /** The stop modes, indexed by {@link #mode}; null for none. */
    private static final @Nullable StopMode[] MODES = {null, StopMode.DRAIN, StopMode.DISCARD, StopMode.INTERRUPT};

    /** A byte rather than a reference, so that the object fits into 64 bytes. Written under the lock. */
    private volatile byte mode;

    /**
     * The stripe of the {@link ActorRegistry} for an actor without a parent, derived from the thread that has made it.
     */
    final byte stripe;

    /** The progress of the end: null, then an {@link Ending}, then the {@link ActorExit}. Written under the lock. */
    private volatile @Nullable Object end;

    private volatile @Nullable RareState rareState;

    /** For an actor with an unbounded mailbox. */
    Lifecycle(@Nullable String name, @Nullable ActorState<?> parent, ActorOptions options) {
        this(name, parent, options, null);
    }

    Lifecycle(
            @Nullable String name,
            @Nullable ActorState<?> parent,
            ActorOptions options,
            @Nullable BoundedMailbox bounded) {
        this.name = name;
        ancestry = parent == null ? null : Ancestry.below(parent);
        this.options = options;
        stripe = (byte) ActorRegistry.stripe(Thread.currentThread());
        this.bounded = bounded;
    }

    @Nullable
    ActorState<?> parent() {
        return ancestry == null ? null : ancestry.parent;
    }

    /** The name, otherwise the label's text; null if there is neither. */
    @Nullable
    String nameOrLabel() {
        return name != null ? name : options.labelText();
    }

    /** Whether the system or the parent must know the actor while it is idle. */
    boolean holdsSomething() {
        return name != null || ancestry != null || options.holdSomething();
    }

    // ---- the mode

    @Nullable
    StopMode mode() {
        return MODES[mode];
    }

    boolean discards() {
        return mode > number(StopMode.DRAIN);
    }

    private static byte number(StopMode mode) {
        return switch (mode) {
            case DRAIN -> 1;
            case DISCARD -> 2;
            case INTERRUPT -> 3;
        };
    }

    /** Sets a harder mode. Returns false if the current mode is at least as hard. Under the lock. */
    boolean harden(StopMode wanted) {
        boolean harder = number(wanted) > mode;
        if (harder) {
            mode = number(wanted);
        }
        return harder;
    }

    /** Called when the actor has run its only task, and ends. */
    void stopAfterTask() {
        lock();
        try {
            harden(StopMode.DRAIN);
        } finally {
            unlock();
        }
    }

    /**
     * Clears and returns the calling thread's interrupt status. The lock orders this after a stop that is about to
     * interrupt the thread.
     */
    boolean clearInterrupt() {
        lock();
        try {
            return Thread.interrupted();
        } finally {
            unlock();
        }
    }

    // ---- rarely used parts

    @Nullable
    RareState rareStateIfAny() {
        return rareState;
    }

    /** Takes no lock: the caller may hold the lock of the bounded mailbox, which a stop acquires inside this one. */
    RareState rareState() {
        RareState e = rareState;
        if (e != null) {
            return e;
        }
        var created = new RareState(this);
        return RARE_STATE.compareAndSet(this, null, created) ? created : Objects.requireNonNull(rareState);
    }

    @Nullable
    Children childrenIfAny() {
        RareState e = rareState;
        return e == null ? null : e.childrenIfAny();
    }

    /** The living children. Allocates nothing if there are none. */
    List<ActorState<?>> livingChildren() {
        Children c = childrenIfAny();
        return c == null ? List.of() : c.all();
    }

    /**
     * Ends the actor's wait for children, messages or results. Returns true if it was waiting; see
     * {@link Children#endWait}.
     */
    boolean endWait() {
        Children c = childrenIfAny();
        return c != null && c.endWait();
    }

    @Nullable
    ChildMessages childMessagesIfAny() {
        RareState e = rareState;
        return e == null ? null : e.childMessagesIfAny();
    }

    @Nullable
    Pause pauseIfAny() {
        RareState e = rareState;
        return e == null ? null : e.pauseIfAny();
    }

    Pause pause() {
        return rareState().pause();
    }

    Watchers watchers() {
        return rareState().watchers();
    }

    @Nullable
    DeferredReplies deferredIfAny() {
        RareState e = rareState;
        return e == null ? null : e.deferredIfAny();
    }

    /** The number of failures suppressed since the last logged one. Consumer only. */
    long suppressedFailures() {
        RareState e = rareState;
        LogLimit f = e == null ? null : e.failureLogIfAny();
        return f == null ? 0 : f.takeSuppressed();
    }

    // ---- its end

    /** Records the first failure. Has no effect after a stop by interrupt, since the interrupt may be the cause. */
    void failWith(Throwable cause) {
        if (failure() == null && mode() != StopMode.INTERRUPT) {
            rareState().failure = cause;
        }
    }

    @Nullable
    Throwable failure() {
        RareState e = rareState;
        return e == null ? null : e.failure;
    }

    void countFailed() {
        rareState().failed++;
    }

    void countDiscarded(long messages) {
        rareState().discarded += messages;
    }

    long discarded() {
        RareState e = rareState;
        return e == null ? 0 : e.discarded;
    }

    /** Records the stack of the handler that is about to be interrupted. A later interrupt replaces it. */
    void stuckAt(StackTraceElement[] stack) {
        rareState().stuckAt = List.of(stack);
    }

    /** Makes the actor refuse further children. Returns false if it already does. */
    boolean refuseChildren() {
        lock();
        try {
            if (end != null) {
                return false;
            }
            end = Ending.REFUSES_CHILDREN;
            return true;
        } finally {
            unlock();
        }
    }

    boolean refusesChildren() {
        return end != null;
    }

    /** Whether the actor has closed its resources, or is about to. True before its name is freed. */
    boolean isLeaving() {
        return end == Ending.REFUSES_RESOURCES || end instanceof ActorExit;
    }

    /** Makes the actor refuse all messages, also its own. Under the lock. */
    void refuseMessages() {
        end = Ending.REFUSES_MESSAGES;
    }

    boolean refusesMessages() {
        return end != null && end != Ending.REFUSES_CHILDREN;
    }

    /** Ends the actor: completes the future of the exit, if it has been requested, and calls the watchers. */
    void end(long handled) {
        ActorExit before = resultIfEnded(); // from a previous attempt that ran out of memory
        ActorExit result = before == null ? result(handled) : before;
        RareState e;
        lock();
        try {
            end = result;
            e = rareState;
        } finally {
            unlock();
        }
        if (e != null) {
            CompletableFuture<ActorExit> exit = e.exitIfAny();
            if (exit != null) {
                exit.complete(result);
            }
            Watchers watchers = e.watchersIfAny();
            if (watchers != null) {
                watchers.end(result);
            }
        }
    }

    /** The result as currently known. */
    ActorExit result(long handled) {
        RareState e = rareState;
        Throwable cause = failure();
        ActorExit.Reason reason = cause != null
                ? ActorExit.Reason.FAILED
                : mode() == StopMode.INTERRUPT ? ActorExit.Reason.INTERRUPTED : ActorExit.Reason.NORMAL;
        return e == null
                ? new ActorExit(reason, null, handled, 0, 0, List.of())
                : new ActorExit(reason, cause, handled, e.failed, e.discarded, e.stuckAt);
    }

    /** The result; null before the end. */
    @Nullable
    ActorExit resultIfEnded() {
        return end instanceof ActorExit result ? result : null;
    }

    /**
     * The future of the result, created on demand. Either it is created before the end, under the lock, and completed
     * by {@link #end}; or the end is seen here.
     */
    CompletableFuture<ActorExit> exit() {
        ActorExit before = resultIfEnded();
        if (before != null) {
            return CompletableFuture.completedFuture(before);
        }
        CompletableFuture<ActorExit> exit = rareState().exit();
        ActorExit result = resultIfEnded();
        if (result != null) {
            exit.complete(result);
        }
        return exit;
    }

    // ---- its resources

    /**
     * Adds a resource to close at the end. Returns false if the resources have already been closed: the caller then
     * closes this one.
     */
    boolean tie(AutoCloseable resource) {
        lock();
        try {
            if (isLeaving()) {
                return false;
            }
            return rareState().tie(resource);
        } finally {
            unlock();
        }
    }

    /** Returns the resources to close, and accepts no more. */
    List<AutoCloseable> untie() {
        lock();
        try {
            end = Ending.REFUSES_RESOURCES;
            return rareState == null ? List.of() : rareState.untie();
        } finally {
            unlock();
        }
    }
}
