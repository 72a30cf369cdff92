package io.fibry.pool;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.ReplyContext;
import io.fibry.ReplyTo;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.kernel.Holding;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
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
 * worker looks for a stage after it has become idle. If there is one, and the pool is not full again, the worker
 * removes and completes it, which sends a message to the actor that does not wait in the mailbox. Its turn releases the
 * mailbox, unless the pool is full again. If the worker becomes idle before the actor's check, the actor finds it.
 *
 * <p><b>No message is lost at a stop.</b> A draining actor waits for open stages. There is one from the first message
 * that is passed to a worker until all workers are idle. The workers are therefore stopped after the last message, and
 * also after messages that the behavior has sent during the drain. A harder stop also reaches the workers. It makes a
 * dead letter of each message that waits.
 *
 * <p><b>Messages start in the order of arrival</b>, unless they have a priority. The mailbox has an order, and a hold
 * leaves all of its messages there. Messages of the behavior to a draining pool do not wait in the mailbox. They are
 * newer than its messages, since it was closed before. The hold applies to them, too, and then the actor takes them
 * after those in the mailbox, in the order of arrival. While there is no hold, a worker is idle: only the actor assigns
 * idle workers, and it holds its mailbox after the message that gets the last one. It therefore passes on each message
 * when it takes it, and no message waits elsewhere that a later one could overtake. The function of the key is called
 * at this time, hence once per message.
 *
 * <p><b>No worker is lost if stack or memory runs out.</b> The actor may run on the stack of a sender. If it cannot
 * send the message to the worker that it has assigned, it withdraws the assignment, and the message fails. If it cannot
 * hold its mailbox, it may take a message while the pool is full. It stashes this message, which is older than those
 * that wait, and tries again to hold. Workers take no messages until none is stashed. The actor unstashes them one by
 * one, and sends itself another {@link #LOOK} for each, since the kernel drops a stashed ask that has been cancelled.
 *
 * <p><b>Equal keys.</b> A message whose key has no queue opens one at an idle worker. Later messages with this key go
 * to the same worker, whose mailbox keeps their order. The worker closes the queue when it has handled all messages in
 * it. Queues are opened, extended and closed under the lock. A queue therefore has a worker until its last message has
 * been handled, and each key has at most one queue.
 *
 * <p><b>A pool with a backlog</b> needs no turn of the actor for each message. A worker that has handled a message
 * while the pool is full takes the next one from the held mailbox itself, and sends it to itself. It becomes idle only
 * if the mailbox has none for it; then the step above wakes the actor, which finds a message that has arrived since.
 * With keys, {@code order} is held from before a message is taken until it has a worker. Threads that take messages of
 * one key thus pass them on in the same order. The actor ends the hold, polls a message, and then acquires this lock. A
 * worker that took an older message acquired the lock before it took it, so the actor waits for that worker. A worker
 * that acquires the lock later takes no message, because the hold has ended.
 */
final class PoolWorkers<M, R extends @Nullable Object> {

    /** The message of a stage. */
    static final Object LOOK = new Object();

    private static final Consumer<PoolWorkers<?, ?>> HOLD_IF_FULL = PoolWorkers::holdIfFull;

    /**
     * A message of the pool.
     *
     * @param asker gets a failure; null if the message is not an ask
     * @param replyTo gets the result; null if the message is not an ask, or the behavior itself replies
     * @param key null if the message is in no queue
     */
    private record Work<R extends @Nullable Object>(
            Object message,
            @Nullable ReplyTo<?> asker,
            @Nullable ReplyTo<R> replyTo,
            @Nullable Object key) {}

    /** A message whose key function has thrown. */
    private record WithoutKey(Object message, RuntimeException failure) {
        @Override
        public String toString() {
            return message.toString();
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

    /** Held from before a worker takes a message until the message has a worker, if messages have keys. */
    private final ReentrantLock order = new ReentrantLock();

    private final PoolState<Work<R>> state;
    private int stashed; // confined to the actor, as is the next one
    private @Nullable CompletableFuture<@Nullable Void> untilRoom; // the last stage that the actor has waited for

    PoolWorkers(
            ReplyContext<Object, R> context,
            ThreadStrategy strategy,
            ThrowingFunction<M, R> behavior,
            PoolOptions<? super M> options) {
        this.context = context;
        this.behavior = behavior;
        this.options = options;
        state = new PoolState<>(options);
        for (int i = 1; i <= options.parallelism(); i++) {
            Actor<Work<R>> worker = context.spawn()
                    .strategy(strategy)
                    .label(new Label(context.self(), i))
                    .newActorFrom(own -> work -> handle(own.self(), work));
            context.link(worker); // one whose executor rejects it would be missing; so the pool ends, too
            state.add(worker);
        }
    }

    // ---- in the turns of the pool's actor

    /** Handles a message of the actor: one of the pool, or {@link #LOOK}. */
    void take(Object message) {
        try {
            if (message != LOOK && !passes(message)) {
                context.stash();
                countStashed(1);
            }
        } finally { // also if this message fails
            OutOfMemory.repeat(HOLD_IF_FULL, this);
        }
    }

    /** Leaves no message here without a stage that sends {@link #LOOK}, if the pool is full. */
    private void holdIfFull() {
        if (isFull()) {
            Holding.hold(context);
        } else {
            Holding.release(context);
            if (stashed > 0) {
                unstash();
            }
        }
    }

    /** Makes the oldest stashed message the next one of the actor. */
    private void unstash() {
        lookAfter(CompletableFuture.completedFuture(null));
        context.unstash(1);
        countStashed(-1);
    }

    private void countStashed(int change) {
        stashed += change;
        state.countStashed(change);
    }

    /**
     * Passes a message to a worker. False if there is none, or if it has been stopped by a stop that discards messages:
     * then the stash makes a dead letter of the message. An asker gets the failure of its deferred reply instead, when
     * the actor ends.
     */
    private boolean passes(Object message) {
        Object key = keyOf(Asked.unwrapped(message));
        PoolState.Assignment<Work<R>> assignment = options.key() == null ? state.assign(null) : assignInOrder(key);
        if (assignment == null) {
            return false;
        }
        Actor<Work<R>> worker = assignment.worker();
        try {
            if (assignment.untilAtRest() != null) {
                lookAfter(assignment.untilAtRest());
            }
            Work<R> work = work(message, key);
            return isAccepted(worker, work) || work.replyTo != null;
        } catch (Throwable t) { // stack or memory has run out
            if (state.withdrawn(key)) {
                state.becomesIdle(worker);
            }
            state.completeStages();
            throw t;
        }
    }

    /** Sends a message to a worker, without a lock, since the worker may run on this thread. False if it is stopped. */
    private boolean isAccepted(Actor<Work<R>> worker, Work<R> work) {
        try {
            worker.tell(work);
            return true;
        } catch (ActorStoppedException e) {
            return false;
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

    private PoolState.@Nullable Assignment<Work<R>> assignInOrder(@Nullable Object key) {
        order.lock();
        try {
            return state.assign(key);
        } finally {
            order.unlock();
        }
    }

    /** Whether the pool is full. If so, a message comes when it is not. */
    private boolean isFull() {
        CompletableFuture<@Nullable Void> stage = state.untilRoom();
        if (stage != null && stage != untilRoom) {
            lookAfter(stage);
        }
        untilRoom = stage;
        return stage != null;
    }

    private void lookAfter(CompletableFuture<@Nullable Void> stage) {
        context.pipeToSelf(stage, (nothing, failure) -> LOOK);
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
        if (message instanceof WithoutKey unknown) {
            throw unknown.failure;
        }
        return behavior.apply((M) message);
    }

    private void ended(Actor<Work<R>> worker, Work<R> work, boolean isGivenUp, boolean hasFailed) {
        if (!state.ended(worker, work.key, !isGivenUp, hasFailed)) {
            state.completeStages();
            return;
        }
        boolean isPassed = false;
        try {
            isPassed = takesNext(worker);
        } finally {
            if (!isPassed) {
                state.becomesIdle(worker);
                state.completeStages();
            }
            Holding.passRoomOn(context);
        }
    }

    /** Takes messages until one is for this worker. Returns false if there is none. */
    private boolean takesNext(Actor<Work<R>> worker) {
        if (options.key() == null) {
            return takesOne(worker) == worker;
        }
        order.lock();
        try {
            Actor<Work<R>> target;
            do {
                target = takesOne(worker);
            } while (target != null && target != worker && state.mayTake());
            return target == worker;
        } finally {
            order.unlock();
        }
    }

    /**
     * Takes a message, and sends it to the worker of its key, or else to this worker. Returns the worker that has it;
     * null if there is no message, or if a stop that discards messages has reached the worker.
     */
    private @Nullable Actor<Work<R>> takesOne(Actor<Work<R>> worker) {
        Object message = Holding.take(context);
        if (message == null) {
            return null;
        }
        boolean isPassed = false;
        try {
            Work<R> work = taken(message);
            Actor<Work<R>> target = state.assign(work.key, worker);
            isPassed = isPassed(work, target, worker);
            return isPassed ? target : null;
        } finally {
            if (!isPassed) {
                Holding.discard(context, message);
            }
        }
    }

    /** Sends a message that {@code taker} has taken to its worker. False if that is stopped. */
    private boolean isPassed(Work<R> work, Actor<Work<R>> worker, Actor<Work<R>> taker) {
        try {
            return isAccepted(worker, work);
        } catch (Throwable t) { // stack or memory has run out
            if (state.withdrawn(work.key) && worker != taker) { // the taker becomes idle anyway
                state.becomesIdle(worker);
            }
            throw t;
        }
    }

    /** A taken message as work. If the key function fails, the work fails in the same way. */
    private Work<R> taken(Object message) {
        try {
            return new Work<>(message, null, null, keyOf(message));
        } catch (RuntimeException e) {
            return new Work<>(new WithoutKey(message, e), null, null, null);
        }
    }

    PoolStats stats(int inMailbox) {
        return state.stats(inMailbox + Holding.waitingInDrain(context));
    }
}
