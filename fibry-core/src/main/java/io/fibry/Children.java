package io.fibry;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The living children of an actor, in the order of their creation. All access is under the lock of the parent's lifecycle. */
final class Children {

    private final ReentrantLock lock;
    private @Nullable Set<ActorState<?>> living;

    /** The children whose end the parent waits for; empty after {@link #awaitNone}; null if it does not wait. */
    private @Nullable Set<ActorState<?>> awaited;

    private boolean refused;

    Children(ReentrantLock lock) {
        this.lock = lock;
    }

    /** Adds a child. False if the parent accepts no more children. */
    boolean add(ActorState<?> child) {
        lock.lock();
        try {
            if (refused) {
                return false;
            }
            if (living == null) {
                living = new LinkedHashSet<>();
            }
            return living.add(child);
        } finally {
            lock.unlock();
        }
    }

    /** Removes a child. True if the parent waited for this child alone: the caller then holds the parent's consumer's role. */
    boolean remove(ActorState<?> child) {
        lock.lock();
        try {
            if (living != null) {
                living.remove(child);
            }
            boolean last = awaited != null && awaited.remove(child) && awaited.isEmpty();
            if (last) {
                awaited = null;
            }
            return last;
        } finally {
            lock.unlock();
        }
    }

    boolean has(ActorState<?> child) {
        lock.lock();
        try {
            return living != null && living.contains(child);
        } finally {
            lock.unlock();
        }
    }

    /** The parent waits, but for no child. It gives up its consumer's role to the caller of {@link #endWait}. */
    void awaitNone() {
        lock.lock();
        try {
            awaited = new HashSet<>();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the parent's wait, if there is one. True if the parent was waiting: the caller then holds its consumer's role. */
    boolean endWait() {
        lock.lock();
        try {
            boolean waited = awaited != null;
            awaited = null;
            return waited;
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return living == null || living.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    List<ActorState<?>> all() {
        lock.lock();
        try {
            return living == null ? List.of() : new ArrayList<>(living);
        } finally {
            lock.unlock();
        }
    }

    /** Refuses further children, and returns the living ones. */
    List<ActorState<?>> refuseMore() {
        lock.lock();
        try {
            refused = true;
            return all();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether these children have ended. If not, the parent waits, and its consumer's role goes to the thread that removes the
     * last of them. Children that are made in the meantime do not count.
     */
    boolean areGone(List<ActorState<?>> children) {
        lock.lock();
        try {
            var left = new HashSet<>(children);
            left.removeIf(child -> living == null || !living.contains(child));
            awaited = left.isEmpty() ? null : left;
            return left.isEmpty();
        } finally {
            lock.unlock();
        }
    }
}
