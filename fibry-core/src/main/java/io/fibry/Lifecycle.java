package io.fibry;

import io.fibry.dispatch.Runner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an actor needs for its end and for whatever most actors do without; made when it is first used. It only moves
 * forward: accepting (no mode), stopping (a mode, which only gets harder), ending (no child left, none can come).
 */
final class Lifecycle {

    /** Held by a stop while it changes the mode and calls for the runner's attention, never while user code runs. */
    final ReentrantLock lock = new ReentrantLock();

    final CompletableFuture<ActorExit> exit = new CompletableFuture<>();
    final ActorOptions options;
    final Children children = new Children(lock);
    final ChildMessages childMessages = new ChildMessages(this);
    final Watchers watchers = new Watchers(lock);
    final Pause pause = new Pause(lock);

    /** Where messages wait if the mailbox has a limit or an order. */
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

    /** Whose mailbox has to get room before the message in work can go on; see {@link Admission}. */
    volatile @Nullable ActorState<?> waitsFor;

    /** The runner of an actor that keeps one; set before the actor can be seen by anybody else. */
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

    /** Under the lock: false if the actor is stopping that hard already. */
    boolean harden(StopMode wanted) {
        StopMode m = mode;
        if (m != null && m.compareTo(wanted) >= 0) {
            return false;
        }
        mode = wanted;
        return true;
    }

    /** Clears the calling thread's interrupt status, after one who may be about to set it. */
    void clearInterrupt() {
        lock.lock();
        try {
            Thread.interrupted();
        } finally {
            lock.unlock();
        }
    }

    // ---- what few actors need

    /** The asks that are answered later; made by the consumer. */
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

    /** Ends the asks that are answered later. Consumer only. */
    void failDeferred(Supplier<ActorStoppedException> cause) {
        DeferredReplies d = deferred;
        if (d != null) {
            d.failAll(cause);
        }
    }

    /** How many failures the log does not have. Consumer only. */
    long untoldFailures() {
        FailureLog f = failureLog;
        return f == null ? 0 : f.takeUntold();
    }

    // ---- how it ends

    /** The first failure counts, and none after an interrupt that may have been its cause. */
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

    /** The handler at work stood here when it was interrupted. */
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

    // ---- what ends with it

    /** False if the actor has closed its resources already, so that this one has to be closed by the caller. */
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

    /** Hands over the resources to close, once. */
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
