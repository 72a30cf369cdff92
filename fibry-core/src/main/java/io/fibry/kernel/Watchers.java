package io.fibry.kernel;

import io.fibry.ActorExit;
import io.fibry.dispatch.OutOfMemory;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The watchers of an actor's end. Each is called exactly once, unless it was removed before. Guarded by the lock of the
 * actor's lifecycle.
 */
final class Watchers {

    /** A watcher of the end of an actor. Equal watchers of the same actor are added only once. */
    interface Watcher {
        /**
         * Called once: on the thread that ends the actor, or on the thread that adds the watcher after the end. Must
         * not block.
         */
        void ended(ActorExit exit);
    }

    private static final BiConsumer<Watcher, ActorExit> NOTIFY = Watcher::ended;

    private final Lifecycle lifecycle;
    private @Nullable Set<Watcher> watchers;

    Watchers(Lifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    /** Adds a watcher; calls it at once if the actor has already ended. */
    void add(Watcher watcher) {
        ActorExit ended;
        lifecycle.lock();
        try {
            ended = lifecycle.resultIfEnded();
            if (ended == null) {
                if (watchers == null) {
                    watchers = new LinkedHashSet<>();
                }
                watchers.add(watcher);
            }
        } finally {
            lifecycle.unlock();
        }
        if (ended != null) {
            watcher.ended(ended);
        }
    }

    /** Removes a watcher in constant time: a widely watched actor removes each watcher that ends. */
    void remove(Watcher watcher) {
        lifecycle.lock();
        try {
            if (watchers != null) {
                watchers.remove(watcher);
                if (watchers.isEmpty()) {
                    watchers = null;
                }
            }
        } finally {
            lifecycle.unlock();
        }
    }

    /** Calls and removes all watchers. The lifecycle already has its result, so no more are added. */
    void end(ActorExit how) {
        for (Watcher watcher = takeFirst(); watcher != null; watcher = takeFirst()) {
            OutOfMemory.repeat(NOTIFY, watcher, how);
        }
    }

    private @Nullable Watcher takeFirst() {
        lifecycle.lock();
        try {
            Watcher watcher = watchers == null ? null : watchers.iterator().next();
            if (watcher != null) {
                remove(watcher);
            }
            return watcher;
        } finally {
            lifecycle.unlock();
        }
    }

    /** The number of watchers. */
    int count() {
        lifecycle.lock();
        try {
            return watchers == null ? 0 : watchers.size();
        } finally {
            lifecycle.unlock();
        }
    }
}
