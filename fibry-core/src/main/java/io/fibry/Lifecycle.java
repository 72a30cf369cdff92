package io.fibry;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
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

    /** Where messages wait if the mailbox has a limit or an order. */
    final @Nullable WaitingRoom room;

    private volatile @Nullable StopMode mode; // written under the lock
    private volatile @Nullable Throwable failure;

    private @Nullable Set<ActorCell<?>> children; // guarded by the lock, as are the next four
    private @Nullable List<AutoCloseable> tied;
    private boolean untied;
    private boolean waitingForChildren;
    private boolean childless;

    private int deadLetters; // consumer only

    /** Whose mailbox has to get room before the message in work can go on; see {@link Admission}. */
    volatile @Nullable ActorCell<?> waitsFor;

    /** The thread of an actor on the platform strategy; set before the actor can be seen by anybody else. */
    @Nullable
    PlatformThread ownThread;

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

    /** Clears the calling thread's interrupt status, after a stopper that may be about to set it. */
    void clearInterrupt() {
        lock.lock();
        try {
            Thread.interrupted();
        } finally {
            lock.unlock();
        }
    }

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

    void countDeadLetter() {
        deadLetters++;
    }

    int deadLetters() {
        return deadLetters;
    }

    ActorExit result() {
        Throwable cause = failure;
        if (cause != null) {
            return ActorExit.failed(cause);
        }
        return mode == StopMode.INTERRUPT ? ActorExit.INTERRUPTED : ActorExit.NORMAL;
    }

    /** False if the actor can have no more children. */
    boolean addChild(ActorCell<?> child) {
        lock.lock();
        try {
            if (childless) {
                return false;
            }
            if (children == null) {
                children = new LinkedHashSet<>();
            }
            return children.add(child);
        } finally {
            lock.unlock();
        }
    }

    /** True if the parent was waiting for this child alone: the caller then holds its consumer's role. */
    boolean removeChild(ActorCell<?> child) {
        lock.lock();
        try {
            if (children == null || !children.remove(child) || !children.isEmpty()) {
                return false;
            }
            boolean waited = waitingForChildren;
            waitingForChildren = false;
            return waited;
        } finally {
            lock.unlock();
        }
    }

    List<ActorCell<?>> children() {
        lock.lock();
        try {
            return children == null ? List.of() : new ArrayList<>(children);
        } finally {
            lock.unlock();
        }
    }

    /** The children that there are; more will be refused. */
    List<ActorCell<?>> refuseChildren() {
        lock.lock();
        try {
            childless = true;
            return children();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the last child has gone; else the consumer's role goes to the one who removes the last child. */
    boolean childrenGone() {
        lock.lock();
        try {
            waitingForChildren = children != null && !children.isEmpty();
            return !waitingForChildren;
        } finally {
            lock.unlock();
        }
    }

    /** False if the actor has closed its resources already, so that this one has to be closed by the caller. */
    boolean tie(AutoCloseable resource) {
        lock.lock();
        try {
            if (tied == null) {
                tied = new ArrayList<>();
            }
            return !untied && tied.add(resource);
        } finally {
            lock.unlock();
        }
    }

    /** Hands over the resources to close, once. */
    List<AutoCloseable> untie() {
        lock.lock();
        try {
            untied = true;
            return tied == null ? List.of() : tied;
        } finally {
            lock.unlock();
        }
    }
}
