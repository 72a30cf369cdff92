package io.fibry.pool;

import io.fibry.Actor;
import io.fibry.ReplyContext;
import io.fibry.ReplyTo;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
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
 * The workers of a pool: children of the pool's actor, as many as messages may be at work. The actor passes each message to an idle
 * worker. While there is none, it {@linkplain io.fibry.ActorContext#hold holds} its mailbox. So a message that waits is an ordinary one of
 * the actor: limit, order, stop and counts are those of every mailbox.
 *
 * <p><b>Never more at work than the limit.</b> Only workers call the behavior, there are as many as the limit, and an actor handles
 * one message at a time. A worker is idle again when the behavior has returned or thrown, so a failure costs no worker.
 *
 * <p><b>No message waits while a worker is idle.</b> The actor looks under the lock, after each of its messages. If it finds the pool
 * full, it leaves a stage there in the same step, and then holds its mailbox. A worker looks in the step in which it becomes idle. If it
 * finds a stage, it takes it, and completes it: that is a message for the actor, which does not wait in the mailbox. Its turn
 * releases the mailbox, unless the pool is full again. If the worker comes before the actor's look, the actor finds it idle.
 *
 * <p><b>Nothing is lost at a stop.</b> A draining actor waits for open stages. There is one from the first message that is passed to a
 * worker until all workers are idle. So the workers are stopped after the last message, and also after those that the behavior has
 * sent meanwhile. A harder stop also reaches the workers, and what waits in a mailbox becomes a dead letter. Only what the behavior
 * has sent while the pool drained, and what no worker has taken, is given up without one.
 *
 * <p><b>Equal keys.</b> A message whose key has no lane opens one at an idle worker. Later ones go to the same worker, whose mailbox
 * keeps their order. The worker closes the lane when it has handled all messages in it. Opening, adding and closing are under the lock, and
 * only the actor adds. So a lane has a worker until its last message has been handled, and there is one lane for a key.
 */
final class Crew<M, R extends @Nullable Object> {

    /** The message of a stage. */
    static final Object LOOK = new Object();

    /**
     * A message of the pool.
     *
     * @param asker gets a failure; null if nobody has asked
     * @param replyTo gets the result; null if nobody has asked, or the behavior itself replies
     * @param key null if the message is in no lane
     */
    private record Work<R extends @Nullable Object>(
            Object message,
            @Nullable ReplyTo<?> asker,
            @Nullable ReplyTo<R> replyTo,
            @Nullable Object key) {}

    /** The messages with one key. */
    private static final class Lane<R extends @Nullable Object> {
        final Actor<Work<R>> worker;
        int messages; // that wait at the worker, without the one at work; under the lock

        Lane(Actor<Work<R>> worker) {
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

    private final ReentrantLock lock = new ReentrantLock(); // guards all that follows

    /** Messages to be passed on. More than one only if workers send messages to their own pool while it drains. */
    private final Deque<Work<R>> next = new ArrayDeque<>();

    private final Deque<Actor<Work<R>>> idle = new ArrayDeque<>();
    private final Map<Object, Lane<R>> lanes = new HashMap<>();
    private int behind; // messages in lanes, without those at work
    private @Nullable CompletableFuture<@Nullable Void> room; // while the pool is full
    private @Nullable CompletableFuture<@Nullable Void> rest; // while a worker is at work
    private long done;
    private long failed;

    Crew(
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
        if (message != LOOK) {
            add(work(message));
        }
        boolean passes = true;
        while (passes) {
            passes = passesNext();
        }
        if (isFull()) {
            context.hold();
        } else {
            context.release();
        }
    }

    private Work<R> work(Object message) {
        if (message instanceof Asked asked) {
            return new Work<>(asked.message(), asked.replyTo(), null, keyOf(asked.message()));
        }
        Object key = keyOf(message);
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

    private void add(Work<R> work) {
        lock.lock();
        try {
            next.add(work);
        } finally {
            lock.unlock();
        }
    }

    /** Passes a message to a worker. False if there is no message, or no worker for it. */
    private boolean passesNext() {
        Work<R> work;
        Actor<Work<R>> worker;
        CompletableFuture<@Nullable Void> stage = null;
        lock.lock();
        try {
            work = next.peek();
            worker = work == null ? null : workerFor(work);
            if (work == null || worker == null) {
                return false;
            }
            next.remove();
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
        worker.tell(work); // without the lock, since the worker may run on this thread
        return true;
    }

    private @Nullable Actor<Work<R>> workerFor(Work<R> work) {
        Lane<R> lane = work.key == null ? null : lanes.get(work.key);
        if (lane != null) {
            lane.messages++;
            behind++;
            return lane.worker;
        }
        Actor<Work<R>> worker = idle.poll();
        if (worker != null && work.key != null) {
            lanes.put(work.key, new Lane<>(worker));
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

    @SuppressWarnings({"unchecked", "NullAway"}) // the pool's handle takes no other messages; nobody asks for code
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
            Lane<R> lane = work.key == null ? null : lanes.get(work.key);
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
            int waiting = inMailbox + next.size() + behind;
            return new PoolStats(waiting, options.parallelism() - idle.size(), done, failed);
        } finally {
            lock.unlock();
        }
    }
}
