package io.fibry;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Who is told of an actor's end: each exactly once, unless it has been removed before. Under the lock of the actor's lifecycle. */
final class Watchers {

    /** One who wants to know. Two are the same only if they are the same object. */
    interface Watcher {
        /** Called once, on the thread that ends the actor or on the one that comes late. Must not block. */
        void ended(ActorExit exit);
    }

    private final ReentrantLock lock;
    private @Nullable Set<Watcher> watchers;
    private @Nullable ActorExit exit;

    Watchers(ReentrantLock lock) {
        this.lock = lock;
    }

    /** Adds one; if the actor has ended already, tells it at once. */
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

    /** Takes no longer with many of them: an actor that all others watch loses each of them at its end. */
    void remove(Watcher watcher) {
        change(all -> all.remove(watcher));
    }

    void removeIf(Predicate<Watcher> unwanted) {
        change(all -> all.removeIf(unwanted));
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

    /** The actor has ended. */
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

    /** How many there are. */
    int count() {
        lock.lock();
        try {
            return watchers == null ? 0 : watchers.size();
        } finally {
            lock.unlock();
        }
    }
}
