package io.fibry.observer;

import io.fibry.ActorSystem;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** The timelines of the actors whose pages are open: one for all viewers of an actor, until the last one leaves. */
final class Timelines {

    private static final class Watched {
        final Timeline timeline;
        int viewers;

        Watched(Timeline timeline) {
            this.timeline = timeline;
        }
    }

    private final ActorSystem system;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Watched> byId = new HashMap<>(); // guarded by the lock

    Timelines(ActorSystem system) {
        this.system = system;
    }

    /** A viewer comes, and calls {@link #close} when it leaves. */
    Timeline open(String id) {
        lock.lock();
        try {
            Watched watched = byId.get(id);
            if (watched == null) {
                watched = new Watched(new Timeline(system, id, System::currentTimeMillis));
                byId.put(id, watched);
            }
            watched.viewers++;
            return watched.timeline;
        } finally {
            lock.unlock();
        }
    }

    void close(String id) {
        lock.lock();
        try {
            Watched watched = byId.get(id);
            if (watched != null && --watched.viewers == 0) {
                byId.remove(id);
                watched.timeline.release();
            }
        } finally {
            lock.unlock();
        }
    }
}
