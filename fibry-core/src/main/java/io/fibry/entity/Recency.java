package io.fibry.entity;

import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The entities in the order of their last messages (LRU). An entity only records the time of each message (see
 * {@link Eviction#now}): its position here is corrected lazily, when the entity becomes the first. A message
 * therefore acquires no lock, and no entity has an earlier time than the first one after the correction.
 *
 * <p>The entry of an ended entity stays until it becomes the first, or until half of the entries are of that kind.
 * There are therefore at most about twice as many entries as entities, and the cleanup takes amortized constant time.
 */
final class Recency {

    private record Place(Entity<?, ?, ?> entity, long usedAt) {}

    private static final int FEW = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Place> places = new PriorityQueue<>((a, b) -> Long.signum(a.usedAt - b.usedAt));
    private int cleanUpAt = FEW; // guarded by the lock

    /** Adds an entity. The caller has required stack, as for a search: the lock must not remain held. */
    void add(Entity<?, ?, ?> entity) {
        lock.lock();
        try {
            if (places.size() >= cleanUpAt) { // before the addition, which is repeated if memory runs out
                places.removeIf(place -> place.entity.isLeaving());
                cleanUpAt = Math.max(FEW, 2 * places.size());
            }
            places.add(new Place(entity, entity.usedAt()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes the least recently used entity that is not running, if it was used at or before this time. Examines at
     * most this number of entries. Returns null if none of them qualifies. If the caller cannot stop the entity, it
     * {@linkplain #add adds} it again.
     *
     * <p>While all entities are running, a search examines each of them once. The lock is released after each entry, so
     * that a long search delays no other thread.
     */
    @Nullable
    Entity<?, ?, ?> takeOldest(long atOrBefore, int atMost) {
        for (int i = 0; i < atMost; i++) {
            lock.lock();
            try {
                Place first = places.peek();
                if (first == null || first.usedAt - atOrBefore > 0) {
                    return null;
                }
                Entity<?, ?, ?> entity = first.entity;
                if (entity.isLeaving()) {
                    places.remove();
                    continue;
                }
                long usedAt = entity.usedAt();
                boolean isRunning = entity.isRunning();
                if (!isRunning && usedAt - first.usedAt <= 0) {
                    places.remove();
                    return entity;
                }
                if (isRunning && usedAt - atOrBefore <= 0) { // the clock may stand still, as in a test
                    usedAt = atOrBefore + 1; // else this search would find the same entry again
                }
                var corrected = new Place(entity, usedAt); // before the removal: memory may run out
                places.remove();
                places.add(corrected);
            } finally {
                lock.unlock();
            }
        }
        return null;
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
