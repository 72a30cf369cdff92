package io.fibry.kernel;

import io.fibry.dispatch.Control;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The actors that a system has to know, because they hold a resource while they are idle: a thread, a name, a hook,
 * children, a timer, a stage, a deferred reply, a stashed message, or a held mailbox. It contains only actors without a
 * parent; a parent stops its children. An actor that holds no resource is eligible for garbage collection when it is no
 * longer referenced.
 */
final class ActorRegistry {

    /**
     * The number of stripes, a power of two that fits into a byte. It reduces contention among threads that start
     * actors.
     */
    private static final int STRIPES = 64;

    /** A stripe of the roots. Lock order: an actor's lock before the lock of a stripe. */
    private static final class Stripe {
        private final ReentrantLock lock = new ReentrantLock();
        private final ActorList roots = new ActorList();

        void add(ActorState<?> root) {
            lock.lock();
            try {
                roots.add(root);
            } finally {
                lock.unlock();
            }
        }

        void remove(ActorState<?> root) {
            lock.lock();
            try {
                roots.remove(root);
            } finally {
                lock.unlock();
            }
        }

        void collect(Predicate<? super ActorState<?>> wanted, List<ActorState<?>> into) {
            lock.lock();
            try {
                roots.collect(wanted, into);
            } finally {
                lock.unlock();
            }
        }
    }

    private final Stripe[] stripes = new Stripe[STRIPES];

    private final PendingWork pendingWork;
    private final PendingWork suspended;

    /** The {@link DrainDeadline} of the system; null while it is not being closed. */
    volatile @Nullable Long drainDeadline;

    /** @param whenNoWork see {@link PendingWork} */
    ActorRegistry(Runnable whenNoWork) {
        pendingWork = new PendingWork(whenNoWork);
        suspended = new PendingWork(whenNoWork);
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    PendingWork pendingWork() {
        return pendingWork;
    }

    /** Counts the messages whose handlers are suspended. */
    PendingWork suspended() {
        return suspended;
    }

    private Stripe stripe(ActorState<?> root) {
        return stripes[root.lifecycle().stripe];
    }

    /** The index of the stripe for the actors that this thread makes. */
    static int stripe(Thread maker) {
        // under a control, one stripe keeps the order deterministic
        return Control.ofCurrentThread() == null ? (int) maker.threadId() & (STRIPES - 1) : 0;
    }

    /**
     * Returns the matching roots, including every one that was added before the call and is not removed during it. The
     * predicate must be quick, and take no lock.
     */
    List<ActorState<?>> roots(Predicate<? super ActorState<?>> wanted) {
        var roots = new ArrayList<ActorState<?>>();
        for (Stripe stripe : stripes) {
            stripe.collect(wanted, roots);
        }
        return roots;
    }

    /** Returns all roots, as {@link #roots(Predicate)} does. */
    List<ActorState<?>> roots() {
        return roots(ActorList.ANY);
    }

    boolean isEmpty() {
        return roots().isEmpty();
    }

    /** Removes an actor that is about to end. */
    void remove(ActorState<?> actor) {
        if (actor.lifecycle().parent() == null) {
            stripe(actor).remove(actor);
        }
    }

    /** Adds an actor that is about to start, or registers it as a child of its parent. */
    void add(ActorState<?> actor) {
        ActorState<?> parent = actor.lifecycle().parent();
        if (parent != null) {
            adopt(parent, actor);
        } else if (holdsSomething(actor)) {
            stripe(actor).add(actor);
        }
    }

    /** Adds a child to its parent. A root is registered when it gets its first child. */
    private void adopt(ActorState<?> parent, ActorState<?> child) {
        Lifecycle l = parent.lifecycle();
        l.lock(); // otherwise a parent might be added after it has refused children and been removed
        try {
            if (!l.rareState().children().add(child)) {
                throw parent.stopped();
            }
            know(parent);
        } finally {
            l.unlock();
        }
    }

    /**
     * Removes a child. A parent that was registered only for its children is removed with the last one. Returns the
     * result of {@link Children#remove}.
     */
    boolean removeChild(ActorState<?> parent, ActorState<?> child) {
        Lifecycle l = parent.lifecycle();
        l.lock();
        try {
            boolean waiting = l.rareState().children().remove(child);
            forgetIfIdle(parent);
            return waiting;
        } finally {
            l.unlock();
        }
    }

    /**
     * Registers an actor that begins to hold a resource, so that the close of the system stops it. Called under the
     * lock of its lifecycle, after the resource is visible: a concurrent {@link #forgetIfIdle} then either comes
     * before, or sees the resource.
     */
    void know(ActorState<?> actor) {
        if (actor.lifecycle().parent() == null) {
            stripe(actor).add(actor);
        }
    }

    /** As {@link #know}, without the lock. */
    void holds(ActorState<?> actor) {
        Lifecycle l = actor.lifecycle();
        l.lock();
        try {
            know(actor);
        } finally {
            l.unlock();
        }
    }

    /** Removes an actor if it no longer holds a resource. */
    void forgetIfIdle(ActorState<?> actor) {
        Lifecycle l = actor.lifecycle();
        l.lock();
        try {
            Children children = l.childrenIfAny();
            if ((children == null || children.isEmpty()) && !holdsSomething(actor)) {
                remove(actor);
            }
        } finally {
            l.unlock();
        }
    }

    private static boolean holdsSomething(ActorState<?> actor) {
        Lifecycle l = actor.lifecycle();
        Pause pause = l.pauseIfAny();
        DeferredReplies deferred = l.deferredIfAny();
        return l.holdsSomething()
                || (deferred != null && !deferred.isEmpty())
                || (l.bounded != null && l.bounded.isHeld())
                || (pause != null && pause.isPausedOrWanted())
                || actor.suspended() != null
                || actor.awaitsSomething()
                || actor.dispatcher().holdsThreads();
    }
}
