package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.ControlledFuture;
import io.fibry.dispatch.LogLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The rarely used fields of a {@link Lifecycle}, and the counts and causes of an end. The object, and each part of it,
 * is created on first use.
 *
 * <p>A part is created under the lock of the lifecycle, and never replaced. For code that holds the lock, the absence
 * of a part means that it has never been used: there is no pause, no child, no thread that waits for the end.
 */
final class RareState {

    private final Lifecycle lifecycle;

    private volatile @Nullable Children children; // written under the lock, as are the next four
    private volatile @Nullable ChildMessages childMessages;
    private volatile @Nullable Watchers watchers;
    private volatile @Nullable Pause pause;
    private volatile @Nullable CompletableFuture<ActorExit> exit;

    private volatile @Nullable DeferredReplies deferred; // written by the consumer
    private @Nullable LogLimit failureLog; // consumer only

    private @Nullable List<AutoCloseable> tied; // guarded by the lock, as is the next one
    private boolean closesBehavior;

    /** The wait of a successor for its predecessor; null if there is none. */
    volatile WaitGraph.@Nullable Edge predecessor;

    /** The handle that is found by the name of the actor; null for the actor itself. */
    volatile @Nullable Actor<?> handle;

    /** See {@link DrainDeadline}; null if there is none. Written under the lock. */
    volatile @Nullable Long drainDeadline;

    volatile @Nullable Throwable failure;
    volatile List<StackTraceElement> stuckAt = List.of();

    long failed; // consumer only, as are the next two; a hint for other threads
    long discarded;
    long restarts;

    /** The runner of an actor that has its own. Set before the actor is published. */
    @Nullable
    ActorThread ownRunner;

    RareState(Lifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    @Nullable
    Children childrenIfAny() {
        return children;
    }

    Children children() {
        Children c = children;
        if (c == null) {
            lifecycle.lock();
            try {
                c = children != null ? children : new Children(lifecycle);
                children = c;
            } finally {
                lifecycle.unlock();
            }
        }
        return c;
    }

    /** The wait of the actor while no thread exercises its consumer's role; null if there is none. */
    WaitGraph.@Nullable Edge heldWait() {
        Children c = children;
        Pause p = pause;
        WaitGraph.Edge wait = predecessor;
        if (wait == null && c != null) {
            wait = c.heldWait();
        }
        return wait == null && p != null ? p.heldWait() : wait;
    }

    @Nullable
    ChildMessages childMessagesIfAny() {
        return childMessages;
    }

    ChildMessages childMessages() {
        ChildMessages c = childMessages;
        if (c == null) {
            lifecycle.lock();
            try {
                c = childMessages != null ? childMessages : new ChildMessages(lifecycle);
                childMessages = c;
            } finally {
                lifecycle.unlock();
            }
        }
        return c;
    }

    @Nullable
    Watchers watchersIfAny() {
        return watchers;
    }

    Watchers watchers() {
        Watchers w = watchers;
        if (w == null) {
            lifecycle.lock();
            try {
                w = watchers != null ? watchers : new Watchers(lifecycle);
                watchers = w;
            } finally {
                lifecycle.unlock();
            }
        }
        return w;
    }

    @Nullable
    Pause pauseIfAny() {
        return pause;
    }

    Pause pause() {
        Pause p = pause;
        if (p == null) {
            lifecycle.lock();
            try {
                p = pause != null ? pause : new Pause(lifecycle);
                pause = p;
            } finally {
                lifecycle.unlock();
            }
        }
        return p;
    }

    @Nullable
    CompletableFuture<ActorExit> exitIfAny() {
        return exit;
    }

    CompletableFuture<ActorExit> exit() {
        CompletableFuture<ActorExit> e = exit;
        if (e == null) {
            lifecycle.lock();
            try {
                e = exit != null ? exit : ControlledFuture.incomplete();
                exit = e;
            } finally {
                lifecycle.unlock();
            }
        }
        return e;
    }

    @Nullable
    DeferredReplies deferredIfAny() {
        return deferred;
    }

    /** Consumer only. */
    DeferredReplies deferred() {
        DeferredReplies d = deferred;
        if (d == null) {
            d = new DeferredReplies(lifecycle);
            deferred = d;
        }
        return d;
    }

    @Nullable
    LogLimit failureLogIfAny() {
        return failureLog;
    }

    /** Consumer only. */
    LogLimit failureLog() {
        LogLimit f = failureLog;
        if (f == null) {
            f = new LogLimit();
            failureLog = f;
        }
        return f;
    }

    /** Adds a resource. Returns false if it belongs to a behavior that a restart is closing. Under the lock. */
    boolean tie(AutoCloseable resource) {
        if (closesBehavior && resource instanceof OfBehavior) {
            return false;
        }
        if (tied == null) {
            tied = new ArrayList<>();
        }
        tied.add(resource);
        return true;
    }

    /**
     * Removes the resources of the current behavior, and returns them for a restart. If there are any, no other one can
     * be added until {@link #behaviorClosed}: the code that closes them still belongs to this behavior.
     */
    List<AutoCloseable> untieOfBehavior(long deadline) {
        lifecycle.lock();
        try {
            List<AutoCloseable> all = tied;
            if (all == null) {
                return List.of();
            }
            var ofBehavior = new ArrayList<AutoCloseable>();
            var others = new ArrayList<AutoCloseable>();
            for (AutoCloseable resource : all) {
                if (resource instanceof OfBehavior o) {
                    ofBehavior.add(o.atRestart(deadline));
                } else {
                    others.add(resource);
                }
            }
            tied = others; // last: if memory runs out before, nothing has changed
            closesBehavior = !ofBehavior.isEmpty();
            return ofBehavior;
        } finally {
            lifecycle.unlock();
        }
    }

    /** Accepts resources of a behavior again. */
    void behaviorClosed() {
        lifecycle.lock();
        try {
            closesBehavior = false;
        } finally {
            lifecycle.unlock();
        }
    }

    /** Removes and returns the resources. Under the lock. */
    List<AutoCloseable> untie() {
        List<AutoCloseable> resources = tied == null ? List.of() : tied;
        tied = null;
        return resources;
    }
}
