package io.fibry;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The watchers of an actor's end. Each is called exactly once, unless it was removed before. Guarded by the lock of the actor's
 * lifecycle.
 */
final class Watchers {

    /** A watcher of the end of an actor. One that is equal to another watcher of the same actor is added only once. */
    interface Watcher {
        /**
         * Called once: on the thread that ends the actor, or on the thread that adds the watcher after the end. Must not block.
         */
        void ended(ActorExit exit);
    }

    private final ReentrantLock lock;
    private @Nullable Set<Watcher> watchers;
    private @Nullable ActorExit exit;

    Watchers(ReentrantLock lock) {
        this.lock = lock;
    }

    /** Adds a watcher; calls it at once if the actor has ended already. */
    void add(Watcher watcher) {
        ActorExit ended;
        lock.lock();
        try {
            ended = exit;
            if (ended == null) {
                if (watchers == null) {
                    watchers = new LinkedHashSet<>();
                }
                watchers.add(watcher);
            }
        } finally {
            lock.unlock();
        }
        if (ended != null) {
            watcher.ended(ended);
        }
    }

    /** Removes a watcher, in constant time: an actor that many others watch loses each of them when that one ends. */
    void remove(Watcher watcher) {
        change(all -> all.remove(watcher));
    }

    private void change(Consumer<Set<Watcher>> change) {
        lock.lock();
        try {
            if (watchers != null) {
                change.accept(watchers);
                if (watchers.isEmpty()) {
                    watchers = null;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the watches: calls all watchers. */
    void end(ActorExit how) {
        List<Watcher> told;
        lock.lock();
        try {
            exit = how;
            told = watchers == null ? List.of() : List.copyOf(watchers);
            watchers = null;
        } finally {
            lock.unlock();
        }
        told.forEach(watcher -> watcher.ended(how));
    }

    /** The number of watchers. */
    int count() {
        lock.lock();
        try {
            return watchers == null ? 0 : watchers.size();
        } finally {
            lock.unlock();
        }
    }
}
