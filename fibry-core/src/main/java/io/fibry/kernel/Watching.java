package io.fibry.kernel;

import io.fibry.ActorExit;
import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.ActorLock;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.MessageSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The actors that an actor watches. Both sides refer to each other while both live; the first to end removes itself
 * from the other. No thread ever holds the locks of two actors at once.
 */
final class Watching extends OwnMessages {

    private final ActorState<?> owner;
    private @Nullable Map<ActorState<?>, Watch> watched; // guarded by the owner's lifecycle lock, as is the next field
    private boolean ended;

    /** One watch. It is active while it is in the owner's map. */
    private final class Watch implements Watchers.Watcher {
        private final ActorState<?> target;
        private final Consumer<? super ActorExit> then;
        private final @Nullable Captured context = owner.captured();

        Watch(ActorState<?> target, Consumer<? super ActorExit> then) {
            this.target = target;
            this.then = then;
        }

        @Override
        public void ended(ActorExit exit) {
            owner.signal(new End(this, exit).in(context));
        }

        void deliver(ActorExit exit, ActorThread runner) {
            if (forget(target, this)) {
                try {
                    then.accept(exit);
                } finally {
                    count(owner, MessageSource.INTERNAL, runner);
                }
            }
        }
    }

    /** The end of a watched actor. */
    private record End(Watch watch, ActorExit exit) implements Signal {

        @Override
        public void deliver(ActorThread runner) {
            watch.deliver(exit, runner);
        }

        @Override
        public Object delivered() {
            return exit;
        }
    }

    Watching(ActorState<?> owner, boolean ended) {
        this.owner = owner;
        this.ended = ended;
    }

    void watch(ActorState<?> target, Consumer<? super ActorExit> then) {
        if (target == owner) {
            throw new IllegalArgumentException("an actor cannot watch itself; use ActorBuilder.onStop");
        }
        var watch = new Watch(target, then);
        Watch before;
        lock().lock();
        try {
            if (ended) {
                return;
            }
            if (watched == null) {
                watched = new HashMap<>();
            }
            before = watched.put(target, watch);
        } finally {
            lock().unlock();
        }
        if (before != null) {
            target.lifecycle().watchers().remove(before);
        }
        target.lifecycle().watchers().add(watch);
        if (!isInForce(watch)) { // removed from the map before it was added to the watchers
            target.lifecycle().watchers().remove(watch);
        }
    }

    private boolean isInForce(Watch watch) {
        lock().lock();
        try {
            return watched != null && watched.get(watch.target) == watch;
        } finally {
            lock().unlock();
        }
    }

    void unwatch(ActorState<?> target) {
        Watch watch;
        lock().lock();
        try {
            watch = watched == null ? null : watched.remove(target);
        } finally {
            lock().unlock();
        }
        if (watch != null) {
            target.lifecycle().watchers().remove(watch);
        }
    }

    private boolean forget(ActorState<?> target, Watch watch) {
        lock().lock();
        try {
            return watched != null && watched.remove(target, watch);
        } finally {
            lock().unlock();
        }
    }

    /** Called when the owner ends: removes all watches, and refuses further ones. */
    void end() {
        clear(true);
    }

    /** Removes all watches: their code belongs to the behavior before a restart. */
    void clear() {
        clear(false);
    }

    private void clear(boolean forGood) {
        List<Watch> watches;
        lock().lock();
        try {
            ended |= forGood;
            watches = watched == null ? List.of() : new ArrayList<>(watched.values());
            watched = null;
        } finally {
            lock().unlock();
        }
        for (Watch watch : watches) {
            watch.target.lifecycle().watchers().remove(watch);
        }
    }

    private ActorLock lock() {
        return owner.lifecycle();
    }
}
