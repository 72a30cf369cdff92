package io.fibry;

import io.fibry.dispatch.Runner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state for the end of an actor, and for features that most actors do not use. Created on first use. It only moves forward:
 * accepting (no mode), stopping (a mode, which only gets harder), ending (no living children, and no more are accepted).
 */
final class Lifecycle {

    /** Held by a stop while it changes the mode and calls for the runner's attention. Never held while user code runs. */
    final ReentrantLock lock = new ReentrantLock();

    final CompletableFuture<ActorExit> exit = new CompletableFuture<>();
    final ActorOptions options;
    final Children children = new Children(lock);
    final ChildMessages childMessages = new ChildMessages(this);
    final Watchers watchers = new Watchers(lock);
    final Pause pause = new Pause(lock);

    /** Where messages wait if the mailbox has a limit or a priority. */
    final @Nullable WaitingRoom room;

    private volatile @Nullable StopMode mode; // written under the lock
    private volatile @Nullable Throwable failure;
    private volatile List<StackTraceElement> stuckAt = List.of();

    private @Nullable List<AutoCloseable> tied; // guarded by the lock, as is the next
    private boolean untied;

    private volatile @Nullable DeferredReplies deferred; // written by the consumer
    private @Nullable FailureLog failureLog; // consumer only

    private long failed; // consumer only, as is the next
    private long discarded;

    /** The runner of an actor that has one of its own. Set before other threads can see the actor. */
    @Nullable
    Runner ownRunner;

    Lifecycle(ActorOptions options) {
        this.options = options;
        room = options.mailbox() == null ? null : new WaitingRoom(options.mailbox());
    }

    @Nullable
    StopMode mode() {
        return mode;
    }

    boolean discards() {
        StopMode m = mode;
        return m != null && m != StopMode.DRAIN;
    }

    /** Sets a harder mode. False if the actor is already stopping at least as hard. Under the lock. */
    boolean harden(StopMode wanted) {
        StopMode m = mode;
        if (m != null && m.compareTo(wanted) >= 0) {
            return false;
        }
        mode = wanted;
        return true;
    }

    /** Clears the calling thread's interrupt status. The lock orders this after a stop that is about to interrupt the thread. */
    void clearInterrupt() {
        lock.lock();
        try {
            Thread.interrupted();
        } finally {
            lock.unlock();
        }
    }

    // ---- what few actors need

    /** The deferred asks; null until there is one. */
    @Nullable
    DeferredReplies deferredIfAny() {
        return deferred;
    }

    /** Consumer only. */
    DeferredReplies deferred() {
        DeferredReplies d = deferred;
        if (d == null) {
            d = new DeferredReplies(lock);
            deferred = d;
        }
        return d;
    }

    /** Consumer only. */
    FailureLog failureLog() {
        FailureLog f = failureLog;
        if (f == null) {
            f = new FailureLog();
            failureLog = f;
        }
        return f;
    }

    /** Fails the deferred asks. Consumer only. */
    void failDeferred(Supplier<ActorStoppedException> cause) {
        DeferredReplies d = deferred;
        if (d != null) {
            d.failAll(cause);
        }
    }

    /** How many failures were not logged since the last logged one. Consumer only. */
    long untoldFailures() {
        FailureLog f = failureLog;
        return f == null ? 0 : f.takeUntold();
    }

    // ---- how it ends

    /** Records the first failure. After a stop by interrupt none is recorded, since the interrupt may be its cause. */
    void failWith(Throwable cause) {
        if (failure == null && mode != StopMode.INTERRUPT) {
            failure = cause;
        }
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    void countFailed() {
        failed++;
    }

    void countDiscarded() {
        discarded++;
    }

    long discarded() {
        return discarded;
    }

    /** Records the stack of the handler that is about to be interrupted. */
    void stuckAt(StackTraceElement[] stack) {
        stuckAt = List.of(stack);
    }

    ActorExit result(long handled) {
        Throwable cause = failure;
        ActorExit.Reason reason = cause != null
                ? ActorExit.Reason.FAILED
                : mode == StopMode.INTERRUPT ? ActorExit.Reason.INTERRUPTED : ActorExit.Reason.NORMAL;
        return new ActorExit(reason, cause, handled, failed, discarded, stuckAt);
    }

    // ---- its resources

    /** Adds a resource to close at the end. False if the resources have been closed already: the caller then closes this one. */
    boolean tie(AutoCloseable resource) {
        lock.lock();
        try {
            if (untied) {
                return false;
            }
            if (tied == null) {
                tied = new ArrayList<>();
            }
            return tied.add(resource);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the resources to close, and accepts no more. */
    List<AutoCloseable> untie() {
        lock.lock();
        try {
            untied = true;
            List<AutoCloseable> resources = tied == null ? List.of() : tied;
            tied = null;
            return resources;
        } finally {
            lock.unlock();
        }
    }
}
