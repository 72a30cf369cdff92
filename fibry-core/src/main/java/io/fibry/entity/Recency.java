package io.fibry.entity;

import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The entities in the order of their last messages. An entity only notes the time of each message: its place here is corrected when
 * the entity comes first. So a message costs no lock, and who comes first at last is exactly the one that was used least recently.
 *
 * <p>An entity that ends keeps its place until it comes first, or until half of the places are of that kind. So there are at most
 * twice as many places as entities, and to clean up costs a constant time for each entity.
 */
final class Recency {

    private record Place(Entity<?, ?, ?> entity, long usedAt) {}

    private static final int FEW = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Place> places = new PriorityQueue<>((a, b) -> Long.signum(a.usedAt - b.usedAt));
    private int cleanUpAt = FEW; // guarded by the lock

    void add(Entity<?, ?, ?> entity) {
        lock.lock();
        try {
            places.add(new Place(entity, entity.usedAt()));
            if (places.size() >= cleanUpAt) {
                places.removeIf(place -> place.entity.isLeaving());
                cleanUpAt = Math.max(FEW, 2 * places.size());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes out the entity that was used least recently, if that was at this time or before it; null if there is none. */
    @Nullable
    Entity<?, ?, ?> takeOldest(long atOrBefore) {
        lock.lock();
        try {
            for (Place first = places.peek(); first != null && first.usedAt - atOrBefore <= 0; first = places.peek()) {
                places.remove();
                Entity<?, ?, ?> entity = first.entity;
                if (entity.isLeaving()) {
                    continue;
                }
                long usedAt = entity.usedAt();
                if (usedAt == first.usedAt) {
                    return entity;
                }
                places.add(new Place(entity, usedAt));
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return places.size();
        } finally {
            lock.unlock();
        }
    }
}
