package io.fibry.kernel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The living children of an actor, in the order of their creation. All access is under the lock of the parent's
 * lifecycle.
 *
 * <p>The parent waits for the children that were alive at some moment, not for children made later. The list is in the
 * order of creation, so the awaited children are a prefix that ends with {@code lastAwaited}; when that one ends, the
 * prefix ends with its predecessor.
 */
final class Children {

    private final Lifecycle parent;
    private final ActorList living = new ActorList();

    private boolean waits;

    /** The wait of a restart, for {@link WaitGraph}; null if there is none. */
    private volatile WaitGraph.@Nullable Edge held;

    /** The last child whose end the parent waits for; null if it waits for none, as after {@link #awaitNone}. */
    private @Nullable ActorState<?> lastAwaited;

    Children(Lifecycle parent) {
        this.parent = parent;
    }

    /** Adds a child. False if the parent accepts no more children. */
    boolean add(ActorState<?> child) {
        parent.lock();
        try {
            if (parent.refusesChildren()) {
                return false;
            }
            living.add(child);
            return true;
        } finally {
            parent.unlock();
        }
    }

    /**
     * Removes a child. Returns true if the parent waited only for this child: the caller then holds the parent's
     * consumer's role.
     */
    boolean remove(ActorState<?> child) {
        parent.lock();
        try {
            if (!ActorList.contains(child)) {
                return false;
            }
            boolean awaited = child == lastAwaited;
            if (awaited) {
                lastAwaited = living.before(child);
            }
            living.remove(child);
            return awaited && lastAwaited == null && endWait();
        } finally {
            parent.unlock();
        }
    }

    boolean has(ActorState<?> child) {
        parent.lock();
        try {
            return ActorList.contains(child);
        } finally {
            parent.unlock();
        }
    }

    /** Begins a wait of the parent for no child. The consumer's role passes to the caller of {@link #endWait}. */
    void awaitNone() {
        parent.lock();
        try {
            waits = true;
            lastAwaited = null;
        } finally {
            parent.unlock();
        }
    }

    /**
     * Ends the parent's wait, if there is one. Returns true if the parent was waiting: the caller then holds its
     * consumer's role.
     */
    boolean endWait() {
        parent.lock();
        try {
            boolean waited = waits;
            waits = false;
            held = null;
            lastAwaited = null;
            return waited;
        } finally {
            parent.unlock();
        }
    }

    /** The wait of a restart; null if there is none. */
    WaitGraph.@Nullable Edge heldWait() {
        return held;
    }

    /** The children whose ends the parent waits for. */
    List<ActorState<?>> awaited() {
        parent.lock();
        try {
            List<ActorState<?>> all = living.all();
            return waits && lastAwaited != null ? all.subList(0, all.indexOf(lastAwaited) + 1) : List.of();
        } finally {
            parent.unlock();
        }
    }

    boolean isEmpty() {
        parent.lock();
        try {
            return living.isEmpty();
        } finally {
            parent.unlock();
        }
    }

    List<ActorState<?>> all() {
        parent.lock();
        try {
            return living.all();
        } finally {
            parent.unlock();
        }
    }

    /** Whether all children have ended. If not, the parent waits for the living ones, as in {@link #areGone(List)}. */
    boolean areGone() {
        parent.lock();
        try {
            lastAwaited = living.last();
            waits = lastAwaited != null;
            return !waits;
        } finally {
            parent.unlock();
        }
    }

    /**
     * Whether these children, which were alive at some moment, have ended. If not, the parent waits, and its consumer's
     * role passes to the thread that removes the last of them. Children made in the meantime do not count. Called for a
     * restart of the parent; the caller must call {@link WaitGraph#lookFrom} afterwards.
     */
    boolean areGone(List<ActorState<?>> children) {
        WaitGraph.Edge wait =
                WaitGraph.forChildren(children); // allocated first: if memory runs out, nothing has changed
        parent.lock();
        try {
            lastAwaited = null;
            for (int i = children.size() - 1; i >= 0 && lastAwaited == null; i--) {
                lastAwaited = ActorList.contains(children.get(i)) ? children.get(i) : null;
            }
            waits = lastAwaited != null;
            held = waits ? wait : null;
            return !waits;
        } finally {
            parent.unlock();
        }
    }
}
