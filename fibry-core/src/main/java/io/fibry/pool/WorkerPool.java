package io.fibry.pool;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.ForwardingActor;
import io.fibry.ReplyActor;
import io.fibry.ReplyContext;
import io.fibry.ReplyTo;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingConsumer;
import io.fibry.ThrowingFunction;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An actor that handles up to a fixed number of messages concurrently. All methods are safe for use by any thread.
 *
 * {@snippet class = "ShapeSnippets" region = "workerPool"}
 *
 * <p><b>Limits.</b> At most {@link PoolOptions#parallelism} messages are handled concurrently. Further messages wait in
 * the mailbox of the pool. When the mailbox is full, its {@linkplain PoolOptions#bounded overflow policy} applies.
 *
 * <p><b>Order.</b> Messages are started in the order of arrival, or by {@link PoolOptions#priority}. The behavior must
 * be thread-safe. With {@link PoolOptions#keyed}, messages with equal keys are handled one at a time, in order, and the
 * handling of each <i>happens-before</i> that of the next.
 *
 * <p><b>Asks</b> complete as soon as their messages have been handled. An ask that has ended before its turn, for
 * instance by a timeout, is skipped.
 *
 * <p><b>Failures.</b> An exception of the behavior fails the ask; without an asker it is logged. It affects no other
 * message.
 *
 * <p><b>Inside the behavior</b>, a {@code tell} to the same pool never blocks, because workers that all waited for room
 * would never make room: if the mailbox is full, {@code tell} throws {@link io.fibry.MailboxFullException}. The
 * behavior should not wait for a reply of its own pool either.
 *
 * <p><b>End.</b> A stopped pool refuses new messages. {@code DRAIN} handles all waiting messages; until it has done so,
 * the pool accepts messages from its own behavior. {@code DISCARD} lets running handlers finish, and {@code INTERRUPT}
 * interrupts them; waiting messages become dead letters. Both fail all open asks at once, including the asks being
 * handled. If {@code DISCARD} or {@code INTERRUPT} follows {@code DRAIN}, messages that the behavior has sent while the
 * pool was draining may be dropped without becoming dead letters.
 *
 * <p>A pool is reachable as long as its system is open: close pools that are no longer needed.
 *
 * @param <M> the type of the messages
 * @param <R> the type of the replies
 */
public final class WorkerPool<M, R extends @Nullable Object> extends ForwardingActor<M> implements ReplyActor<M, R> {

    private final ReplyActor<M, R> actor;
    private final PoolWorkers<M, R> workers;

    private WorkerPool(ReplyActor<M, R> actor, PoolWorkers<M, R> workers) {
        super(actor);
        this.actor = actor;
        this.workers = workers;
    }

    /**
     * Starts a pool that does not reply. An {@link #ask} completes with null when the message has been handled.
     *
     * @param builder its strategy is that of the workers
     * @throws IllegalArgumentException if the builder has {@link ActorBuilder#bounded} or
     *     {@link ActorBuilder#priority}, which the options set, or {@link ActorBuilder#supervision}, which a pool does
     *     not need
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static <M> WorkerPool<M, @Nullable Void> start(
            ActorBuilder<Object> builder, ThrowingConsumer<M> behavior, PoolOptions<? super M> options) {
        Objects.requireNonNull(behavior, "behavior");
        return startWithReturn(
                builder,
                message -> {
                    behavior.accept(message);
                    return null;
                },
                options);
    }

    /**
     * Starts a pool that replies.
     *
     * @param builder its strategy is that of the workers
     * @throws IllegalArgumentException if the builder has {@link ActorBuilder#bounded} or
     *     {@link ActorBuilder#priority}, which the options set, or {@link ActorBuilder#supervision}, which a pool does
     *     not need
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // the handle restricts the messages; all replies are deferred
    public static <M, R extends @Nullable Object> WorkerPool<M, R> startWithReturn(
            ActorBuilder<Object> builder, ThrowingFunction<M, R> behavior, PoolOptions<? super M> options) {
        Objects.requireNonNull(behavior, "behavior");
        var workers = new CompletableFuture<PoolWorkers<M, R>>();
        ThreadStrategy strategy = builder.strategy();
        ReplyActor<Object, R> actor = options.applyTo(checked(builder).copy())
                .strategy(ofTheActor(strategy))
                .stashLimit(Integer.MAX_VALUE)
                .supervision(Supervision.resume()) // it throws only if the key function does
                .newActorWithReturnFrom((ReplyContext<Object, R> context) -> {
                    var made = new PoolWorkers<>(context, strategy, behavior, options);
                    workers.complete(made);
                    return message -> {
                        made.take(message);
                        return null;
                    };
                });
        var pool = new WorkerPool<>((ReplyActor<M, R>) (ReplyActor<?, R>) actor, workers.join());
        pool.beFoundByName();
        return pool;
    }

    private static ActorBuilder<Object> checked(ActorBuilder<Object> builder) {
        return builder.checkNoMailbox("use PoolOptions.bounded(..) and PoolOptions.priority(..)")
                .checkNoSupervision("a failure concerns only the message that causes it");
    }

    /**
     * The pool's own actor never blocks. Unless the strategy is virtual, it runs on the threads of senders and workers,
     * which saves a context switch.
     */
    private static ThreadStrategy ofTheActor(ThreadStrategy strategy) {
        return strategy == ThreadStrategy.virtual() ? strategy : ThreadStrategy.pool(Runnable::run);
    }

    /**
     * Returns the living pool with this name. The types of its messages and replies are not checked: the caller must
     * know them.
     *
     * @return empty if no actor has this name, or the actor is not a pool
     * @throws IllegalArgumentException if the name is blank
     */
    public static <M, R extends @Nullable Object> Optional<WorkerPool<M, R>> find(ActorSystem system, String name) {
        return system.<M, R>findWithReturn(name)
                .filter(WorkerPool.class::isInstance)
                .map(found -> (WorkerPool<M, R>) found);
    }

    @Override
    public CompletableFuture<R> ask(M message) {
        return actor.ask(message);
    }

    @Override
    public CompletableFuture<R> ask(M message, Duration timeout) {
        return actor.ask(message, timeout);
    }

    @Override
    @SuppressWarnings("unchecked") // the actor takes any message
    public <T extends @Nullable Object> CompletableFuture<T> ask(Function<ReplyTo<T>, M> message, Duration timeout) {
        Function<ReplyTo<T>, Object> asked =
                replyTo -> new Asked(Objects.requireNonNull(message.apply(replyTo), "message"), replyTo);
        return ((Actor<Object>) (Actor<?>) actor).ask(asked, timeout);
    }

    /**
     * Runs code on a worker, as if it were a message, ahead of all messages with a
     * {@linkplain PoolOptions#priority priority}. Code that the behavior passes to its own pool during a drain follows
     * all other messages.
     */
    @Override
    @SuppressWarnings("unchecked") // the actor takes any message
    public void execute(Runnable task) {
        ((Actor<Object>) (Actor<?>) actor).tell(new Task(Objects.requireNonNull(task, "task")));
    }

    /** Returns the counters of the pool. */
    public PoolStats stats() {
        return workers.stats(mailboxSize().orElse(0));
    }

    @Override
    public WorkerPool<M, R> closeOnExit(AutoCloseable... resources) {
        super.closeOnExit(resources);
        return this;
    }
}
