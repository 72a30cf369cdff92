package io.fibry.pool;

import io.fibry.Actor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The idle workers of a pool, the workers of its keys, and its counters. Each method is one step under the lock.
 * {@link PoolWorkers} describes the purpose of the steps.
 *
 * @param <W> the type of the workers' messages
 */
final class PoolState<W> {

    /** The messages with one key. */
    private static final class KeyQueue<W> {
        final Actor<W> worker;
        int messages; // waiting at the worker, without the running one

        KeyQueue(Actor<W> worker) {
            this.worker = worker;
        }
    }

    /** The stages that the caller has to complete after a step, without the lock: actors may run on its thread. */
    record Stages(
            @Nullable CompletableFuture<@Nullable Void> hasRoom,
            @Nullable CompletableFuture<@Nullable Void> isAtRest) {

        void complete() {
            if (hasRoom != null) {
                hasRoom.complete(null);
            }
            if (isAtRest != null) {
                isAtRest.complete(null);
            }
        }
    }

    /** The worker for a message, and the stage that is open until all workers are idle, if this step has opened it. */
    record Assignment<W>(Actor<W> worker, @Nullable CompletableFuture<@Nullable Void> untilAtRest) {}

    private final int parallelism;
    private final int maxBehind;

    private final ReentrantLock lock = new ReentrantLock(); // guards the following fields

    private final Deque<Actor<W>> idle = new ArrayDeque<>();
    private final Map<Object, KeyQueue<W>> queues = new HashMap<>();
    private int stashed;
    private int behind; // waiting messages of keys, without running ones
    private @Nullable CompletableFuture<@Nullable Void> room; // while the pool is full
    private @Nullable CompletableFuture<@Nullable Void> rest; // while a worker is running
    private long done;
    private long failed;

    PoolState(PoolOptions<?> options) {
        parallelism = options.parallelism();
        maxBehind = options.maxBehind();
    }

    /** Adds a worker that is idle. Called before the first message. */
    void add(Actor<W> worker) {
        lock.lock();
        try {
            idle.add(worker);
        } finally {
            lock.unlock();
        }
    }

    // ---- for the actor

    /** Returns the worker for a message with this key; null if there is none. */
    @Nullable
    Assignment<W> assign(@Nullable Object key) {
        lock.lock();
        try {
            KeyQueue<W> queue = queueOf(key);
            if (queue != null) {
                return new Assignment<>(extended(queue), null); // it runs, so the pool is not at rest
            }
            Actor<W> worker = idle.poll();
            if (worker == null) {
                return null;
            }
            open(key, worker);
            if (rest != null) {
                return new Assignment<>(worker, null);
            }
            rest = new CompletableFuture<>();
            return new Assignment<>(worker, rest);
        } finally {
            lock.unlock();
        }
    }

    /** If the pool is full, returns the stage that completes when it is not; else null. */
    @Nullable
    CompletableFuture<@Nullable Void> untilRoom() {
        lock.lock();
        try {
            if (hasRoom()) {
                return null;
            }
            if (room == null) {
                room = new CompletableFuture<>();
            }
            return room;
        } finally {
            lock.unlock();
        }
    }

    void countStashed(int change) {
        lock.lock();
        try {
            stashed += change;
        } finally {
            lock.unlock();
        }
    }

    // ---- for workers

    /**
     * Called when a worker has handled a message. Returns null if it may take another one from the actor's mailbox;
     * else it is idle, or has a further message of the key.
     */
    @Nullable
    Stages ended(Actor<W> worker, @Nullable Object key, boolean counts, boolean hasFailed) {
        lock.lock();
        try {
            done += counts ? 1 : 0;
            failed += hasFailed ? 1 : 0;
            KeyQueue<W> queue = queueOf(key);
            if (queue != null && queue.messages > 0) {
                queue.messages--;
                behind--;
                return stages();
            }
            queues.remove(key);
            if (room != null && stashed == 0 && mayExtend()) {
                return null;
            }
            idle.push(worker);
            return stages();
        } finally {
            lock.unlock();
        }
    }

    /** Called when a worker has found no message to take. */
    Stages becomesIdle(Actor<W> worker) {
        lock.lock();
        try {
            idle.push(worker);
            return stages();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the worker for a message that this worker has taken: the worker of its key, else this one. */
    Actor<W> assign(@Nullable Object key, Actor<W> taker) {
        if (key == null) {
            return taker;
        }
        lock.lock();
        try {
            KeyQueue<W> queue = queueOf(key);
            if (queue != null) {
                return extended(queue);
            }
            open(key, taker);
            return taker;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the worker of a key may receive a further message. */
    boolean mayTake() {
        lock.lock();
        try {
            return mayExtend();
        } finally {
            lock.unlock();
        }
    }

    /** The counters, for an actor whose mailbox has so many messages. Any thread. */
    PoolStats stats(int inMailbox) {
        lock.lock();
        try {
            return new PoolStats(inMailbox + stashed + behind, parallelism - idle.size(), done, failed);
        } finally {
            lock.unlock();
        }
    }

    // ---- under the lock

    private boolean hasRoom() {
        return !idle.isEmpty() && mayExtend();
    }

    private boolean mayExtend() {
        return queues.isEmpty() || behind < maxBehind;
    }

    private @Nullable KeyQueue<W> queueOf(@Nullable Object key) {
        return key == null ? null : queues.get(key);
    }

    private void open(@Nullable Object key, Actor<W> worker) {
        if (key != null) {
            queues.put(key, new KeyQueue<>(worker));
        }
    }

    private Actor<W> extended(KeyQueue<W> queue) {
        queue.messages++;
        behind++;
        return queue.worker;
    }

    private Stages stages() {
        CompletableFuture<@Nullable Void> toLook = hasRoom() ? room : null;
        CompletableFuture<@Nullable Void> toRest = idle.size() == parallelism ? rest : null;
        room = toLook == null ? room : null;
        rest = toRest == null ? rest : null;
        return toLook == null && toRest == null ? NONE : new Stages(toLook, toRest);
    }

    private static final Stages NONE = new Stages(null, null);
}
