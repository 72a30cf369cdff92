package io.fibry.pool;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.ReplyContext;
import io.fibry.ReplyTo;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.kernel.Holding;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a pool: children of the pool's actor, one for each message that may be handled concurrently. The actor
 * passes each message to an idle worker. While there is none, it {@linkplain Holding#hold holds} its mailbox. A waiting
 * message is therefore an ordinary message of the actor, subject to the mailbox's limit, order, stop and counts.
 *
 * <p><b>The limit of concurrent messages holds.</b> Only workers call the behavior, their number is the limit, and an
 * actor handles one message at a time. A worker is idle again when the behavior has returned or thrown, so a failure
 * costs no worker.
 *
 * <p><b>No message waits while a worker is idle.</b> The actor checks for idle workers under the lock, after each of
 * its messages. If it finds the pool full, it leaves a stage there in the same step, and then holds its mailbox. A
 * worker looks for a stage in the step in which it becomes idle. If there is one, the worker removes and completes it,
 * which sends a message to the actor that does not wait in the mailbox. Its turn releases the mailbox, unless the pool
 * is full again. If the worker becomes idle before the actor's check, the actor finds it.
 *
 * <p><b>No message is lost at a stop.</b> A draining actor waits for open stages. There is one from the first message
 * that is passed to a worker until all workers are idle. The workers are therefore stopped after the last message, and
 * also after messages that the behavior has sent during the drain. These do not wait in the mailbox, so they may arrive
 * while the pool is full. Then they are stashed, and a stage is open until a worker is idle. A harder stop also reaches
 * the workers. It makes a dead letter of each message in a mailbox and in the stash.
 *
 * <p><b>Equal keys.</b> A message whose key has no lane opens one at an idle worker. Later messages with this key go to
 * the same worker, whose mailbox keeps their order. The worker closes the lane when it has handled all messages in it.
 * Lanes are opened, extended and closed under the lock, and only the actor opens and extends them. A lane therefore has
 * a worker until its last message has been handled, and each key has at most one lane.
 */
final class PoolWorkers<M, R extends @Nullable Object> {

    /** The message of a stage. */
    static final Object LOOK = new Object();

    /**
     * A message of the pool.
     *
     * @param asker gets a failure; null if the message is not an ask
     * @param replyTo gets the result; null if the message is not an ask, or the behavior itself replies
     * @param key null if the message is in no lane
     */
    private record Work<R extends @Nullable Object>(
            Object message,
            @Nullable ReplyTo<?> asker,
            @Nullable ReplyTo<R> replyTo,
            @Nullable Object key) {}

    /** The messages with one key. */
    private static final class KeyQueue<R extends @Nullable Object> {
        final Actor<Work<R>> worker;
        int messages; // waiting at the worker, without the running one; under the lock

        KeyQueue(Actor<Work<R>> worker) {
            this.worker = worker;
        }
    }

    private record Label(Actor<?> pool, int number) {
        @Override
        public String toString() {
            return pool.name() + ", worker " + number;
        }
    }

    private final ReplyContext<Object, R> context;
    private final ThrowingFunction<M, R> behavior;
    private final PoolOptions<? super M> options;

    private final ReentrantLock lock = new ReentrantLock(); // guards the following fields

    private final Deque<Actor<Work<R>>> idle = new ArrayDeque<>();
    private final Map<Object, KeyQueue<R>> lanes = new HashMap<>();
    private int stashed; // written by the actor only, which reads it without the lock
    private int behind; // waiting messages in lanes, without running ones
    private @Nullable CompletableFuture<@Nullable Void> room; // while the pool is full
    private @Nullable CompletableFuture<@Nullable Void> rest; // while a worker is running
    private long done;
    private long failed;

    PoolWorkers(
            ReplyContext<Object, R> context,
            ThreadStrategy strategy,
            ThrowingFunction<M, R> behavior,
            PoolOptions<? super M> options) {
        this.context = context;
        this.behavior = behavior;
        this.options = options;
        for (int i = 1; i <= options.parallelism(); i++) {
            Actor<Work<R>> worker = context.spawn()
                    .strategy(strategy)
                    .label(new Label(context.self(), i))
                    .newActorFrom(own -> work -> handle(own.self(), work));
            context.link(worker); // one whose executor rejects it would be missing; so the pool ends, too
            idle.add(worker);
        }
    }

    // ---- in the turns of the pool's actor

    /** Handles a message of the actor: one of the pool, or {@link #LOOK}. */
    void take(Object message) {
        if (message != LOOK && !passes(message)) {
            context.stash();
            countStashed(1);
        }
        if (isFull()) {
            Holding.hold(context);
        } else {
            Holding.release(context);
            unstash();
        }
    }

    /** Makes a stashed message the next one of the actor, which then looks for the following one. */
    private void unstash() {
        if (stashed > 0) {
            context.unstash(1);
            countStashed(-1);
        }
    }

    private void countStashed(int change) {
        lock.lock();
        try {
            stashed += change;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Passes a message to a worker. False if there is none, or if it has been stopped by a stop that discards messages:
     * then the stash makes a dead letter of the message. An asker gets the failure of its deferred reply instead, when
     * the actor ends.
     */
    private boolean passes(Object message) {
        Object key = keyOf(Asked.unwrapped(message));
        Actor<Work<R>> worker = workerFor(key);
        if (worker == null) {
            return false;
        }
        Work<R> work = work(message, key);
        try {
            worker.tell(work); // without the lock, since the worker may run on this thread
            return true;
        } catch (ActorStoppedException e) {
            return work.replyTo != null;
        }
    }

    private Work<R> work(Object message, @Nullable Object key) {
        if (message instanceof Asked asked) {
            return new Work<>(asked.message(), asked.replyTo(), null, key);
        }
        ReplyTo<R> replyTo = context.deferReply();
        ReplyTo<R> orNull = replyTo.isOpen() ? replyTo : null;
        return new Work<>(message, orNull, orNull, key);
    }

    private @Nullable Object keyOf(Object message) {
        Function<Object, ?> key = options.key();
        return key == null || message instanceof Task
                ? null
                : Objects.requireNonNull(key.apply(message), "the key of a message must not be null");
    }

    /** Takes the worker for the next message, which has this key; null if there is none. */
    private @Nullable Actor<Work<R>> workerFor(@Nullable Object key) {
        Actor<Work<R>> worker;
        CompletableFuture<@Nullable Void> stage = null;
        lock.lock();
        try {
            KeyQueue<R> lane = key == null ? null : lanes.get(key);
            if (lane != null) {
                lane.messages++;
                behind++;
                return lane.worker; // it runs, so there is a stage until all workers are idle
            }
            worker = idle.poll();
            if (worker == null) {
                return null;
            }
            if (key != null) {
                lanes.put(key, new KeyQueue<>(worker));
            }
            if (rest == null) {
                stage = new CompletableFuture<>();
                rest = stage;
            }
        } finally {
            lock.unlock();
        }
        if (stage != null) {
            context.pipeToSelf(stage, (nothing, failure) -> LOOK);
        }
        return worker;
    }

    /** Whether the pool is full. If so, a message comes when it is not. */
    private boolean isFull() {
        CompletableFuture<@Nullable Void> stage;
        lock.lock();
        try {
            if (hasRoom()) {
                return false;
            }
            if (room != null) {
                return true;
            }
            stage = new CompletableFuture<>();
            room = stage;
        } finally {
            lock.unlock();
        }
        context.pipeToSelf(stage, (nothing, failure) -> LOOK);
        return true;
    }

    private boolean hasRoom() {
        return !idle.isEmpty() && (lanes.isEmpty() || behind < options.maxBehind());
    }

    // ---- in the turns of a worker

    private void handle(Actor<Work<R>> self, Work<R> work) throws Exception {
        boolean isGivenUp = work.asker != null && !work.asker.isOpen();
        boolean hasFailed = true;
        try {
            hasFailed = !isGivenUp && !succeeds(work);
        } finally {
            ended(self, work, isGivenUp, hasFailed);
        }
    }

    /** Handles a message. False if it has failed, and the asker knows. */
    private boolean succeeds(Work<R> work) throws Exception {
        try {
            R reply = result(work.message);
            if (work.replyTo != null) {
                work.replyTo.reply(reply);
            }
            return true;
        } catch (Throwable t) {
            if (work.asker == null || !work.asker.fail(t)) {
                throw t;
            }
            return false;
        }
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the pool's handle takes no other messages; code is never an ask
    private R result(Object message) throws Exception {
        if (message instanceof Task task) {
            task.code().run();
            return null;
        }
        return behavior.apply((M) message);
    }

    private void ended(Actor<Work<R>> worker, Work<R> work, boolean isGivenUp, boolean hasFailed) {
        CompletableFuture<@Nullable Void> toLook = null;
        CompletableFuture<@Nullable Void> toRest = null;
        lock.lock();
        try {
            done += isGivenUp ? 0 : 1;
            failed += hasFailed ? 1 : 0;
            KeyQueue<R> lane = work.key == null ? null : lanes.get(work.key);
            if (lane != null && lane.messages > 0) {
                lane.messages--; // the next of them, which this worker has already
                behind--;
            } else {
                lanes.remove(work.key);
                idle.push(worker);
            }
            if (room != null && hasRoom()) {
                toLook = room;
                room = null;
            }
            if (rest != null && idle.size() == options.parallelism()) {
                toRest = rest;
                rest = null;
            }
        } finally {
            lock.unlock();
        }
        complete(toLook); // without the lock: the actor's turn may run on this thread
        complete(toRest);
    }

    private static void complete(@Nullable CompletableFuture<@Nullable Void> stage) {
        if (stage != null) {
            stage.complete(null);
        }
    }

    /** The counters, for an actor whose mailbox has so many messages. Any thread. */
    PoolStats stats(int inMailbox) {
        lock.lock();
        try {
            int waiting = inMailbox + stashed + behind;
            return new PoolStats(waiting, options.parallelism() - idle.size(), done, failed);
        } finally {
            lock.unlock();
        }
    }
}
