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
            Actor<W> worker = queue != null ? queue.worker : idle.peek();
            if (worker == null) {
                return null;
            }
            CompletableFuture<@Nullable Void> opened = // a worker with a queue runs, so the pool is not at rest
                    queue != null || rest != null ? null : new CompletableFuture<>();
            var assignment = new Assignment<>(worker, opened); // no step after the first change runs out of memory
            if (queue != null) {
                extend(queue);
                return assignment;
            }
            open(key, worker);
            idle.remove();
            rest = opened != null ? opened : rest;
            return assignment;
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
     * Called when a worker has handled a message. Returns true if it may take another one from the actor's mailbox;
     * else it is idle, or has a further message of the key.
     */
    boolean ended(Actor<W> worker, @Nullable Object key, boolean counts, boolean hasFailed) {
        lock.lock();
        try {
            done += counts ? 1 : 0;
            failed += hasFailed ? 1 : 0;
            if (hasFurther(key)) {
                return false;
            }
            if (room != null && stashed == 0 && mayExtend()) {
                return true;
            }
            idle.push(worker);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Called when a worker has found no message to take. */
    void becomesIdle(Actor<W> worker) {
        lock.lock();
        try {
            idle.push(worker);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Called when an assigned message could not be sent to its worker. Returns false if the worker has a further
     * message of the key; else it has to become idle.
     */
    boolean withdrawn(@Nullable Object key) {
        lock.lock();
        try {
            return !hasFurther(key);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Completes the stages whose time has come. Called after each step that may make a worker idle, without the lock,
     * since actors may run on the calling thread. Allocates nothing.
     */
    void completeStages() {
        for (var stage = nextStage(); stage != null; stage = nextStage()) {
            stage.complete(null);
        }
    }

    private @Nullable CompletableFuture<@Nullable Void> nextStage() {
        lock.lock();
        try {
            CompletableFuture<@Nullable Void> next = null;
            if (room != null && hasRoom()) {
                next = room;
                room = null;
            } else if (idle.size() == parallelism) {
                next = rest;
                rest = null;
            }
            return next;
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
                extend(queue);
                return queue.worker;
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

    /** The counters, for an actor that has not taken so many messages. Any thread. */
    PoolStats stats(int untaken) {
        lock.lock();
        try {
            return new PoolStats(untaken + stashed + behind, parallelism - idle.size(), done, failed);
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

    /** Opens a queue. If memory runs out, there is none. */
    private void open(@Nullable Object key, Actor<W> worker) {
        if (key == null) {
            return;
        }
        boolean isOpen = false;
        try {
            queues.put(key, new KeyQueue<>(worker));
            isOpen = true;
        } finally {
            if (!isOpen) {
                queues.remove(key); // the map may have added it before it failed to grow
            }
        }
    }

    private void extend(KeyQueue<W> queue) {
        queue.messages++;
        behind++;
    }

    /** Counts a message of the key as taken from its queue. Closes the queue and returns false if there is none. */
    private boolean hasFurther(@Nullable Object key) {
        KeyQueue<W> queue = queueOf(key);
        if (queue != null && queue.messages > 0) {
            queue.messages--;
            behind--;
            return true;
        }
        queues.remove(key);
        return false;
    }
}
