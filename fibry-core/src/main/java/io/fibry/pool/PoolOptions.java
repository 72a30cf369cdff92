package io.fibry.pool;

import io.fibry.ActorBuilder;
import io.fibry.Overflow;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link WorkerPool}: parallelism, mailbox and order. Immutable: each method with a parameter returns
 * new options, and the method of the same name without a parameter returns the value. {@link #capacity()} and
 * {@link #overflow()} return the values of {@link #bounded}.
 *
 * @param <M> a supertype of the messages: {@code Object}, or the type that {@link #priority} compares or from which
 *     {@link #keyed} extracts the key
 */
public final class PoolOptions<M> {

    private static final int DEFAULT_CAPACITY = 1_000;

    private final int parallelism;
    private final int capacity;
    private final Overflow overflow;
    private final @Nullable Comparator<Object> order;
    private final @Nullable Function<Object, ?> key;

    private PoolOptions(
            int parallelism,
            int capacity,
            Overflow overflow,
            @Nullable Comparator<Object> order,
            @Nullable Function<Object, ?> key) {
        this.parallelism = parallelism;
        this.capacity = capacity;
        this.overflow = overflow;
        this.order = order;
        this.key = key;
    }

    /**
     * Limits the number of messages that are handled concurrently. Up to 1,000 more messages wait in the order of
     * arrival; when the mailbox is full, senders block.
     *
     * @throws IllegalArgumentException if the number is less than 1
     */
    public static PoolOptions<Object> of(int parallelism) {
        if (parallelism < 1) {
            throw new IllegalArgumentException("parallelism must be at least 1, not " + parallelism);
        }
        return new PoolOptions<>(parallelism, DEFAULT_CAPACITY, Overflow.BLOCK, null, null);
    }

    /**
     * Limits the number of waiting messages; see {@link ActorBuilder#bounded}. The default is 1,000 with
     * {@link Overflow#BLOCK}.
     *
     * @throws IllegalArgumentException if the capacity is less than 1, or for {@link Overflow#DROP_OLDEST} with a
     *     priority
     */
    public PoolOptions<M> bounded(int capacity, Overflow overflow) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be at least 1, not " + capacity);
        }
        return checked(
                new PoolOptions<>(parallelism, capacity, Objects.requireNonNull(overflow, "overflow"), order, key));
    }

    /**
     * Handles the smallest waiting message next, and equal messages in the order of arrival. A message may wait
     * indefinitely while smaller messages arrive. While the pool drains, messages of its behavior to the pool are
     * handled after all others, in the order of arrival. {@link ActorBuilder#priority} describes the requirements on
     * the comparator.
     *
     * @throws IllegalArgumentException if the pool is keyed, or drops the oldest message
     */
    @SuppressWarnings("unchecked") // the pool compares only messages of its own type
    public <N extends M> PoolOptions<N> priority(Comparator<? super N> order) {
        return checked(new PoolOptions<>(
                parallelism, capacity, overflow, (Comparator<Object>) Objects.requireNonNull(order, "order"), key));
    }

    /**
     * Handles messages with equal keys one at a time, in the order of arrival, and messages with different keys
     * concurrently. At most half of the {@linkplain #bounded capacity}, but at least one message, may wait for an
     * earlier message with the same key. When this limit is reached, the pool takes no further messages from its
     * mailbox until one of these messages has started. The pool calls the function once per message, on any thread; an
     * exception of the function is a failure of the message.
     *
     * @param key returns the key, which must not be null, and may be anything with {@code equals} and {@code hashCode}
     * @throws IllegalArgumentException if the pool has a priority
     */
    @SuppressWarnings("unchecked") // the pool has only messages of its own type
    public <N extends M> PoolOptions<N> keyed(Function<? super N, ?> key) {
        return checked(new PoolOptions<>(
                parallelism, capacity, overflow, order, (Function<Object, ?>) Objects.requireNonNull(key, "key")));
    }

    private static <T> PoolOptions<T> checked(PoolOptions<T> options) {
        if (options.order != null && options.key != null) {
            throw new IllegalArgumentException(
                    "a keyed pool keeps the order of equal keys, so it cannot have a priority, too");
        }
        if (options.order != null && options.overflow == Overflow.DROP_OLDEST) {
            throw new IllegalArgumentException("a pool with a priority cannot drop the oldest message, which may be the"
                    + " most important one; use FAIL, BLOCK or DROP_NEWEST");
        }
        return options;
    }

    // ---- the values

    public int parallelism() {
        return parallelism;
    }

    /** Returns the maximum number of waiting messages. */
    public int capacity() {
        return capacity;
    }

    /** Returns the policy for a full mailbox. */
    public Overflow overflow() {
        return overflow;
    }

    /** Returns the comparator of the messages; null for the order of arrival. */
    public @Nullable Comparator<? super M> priority() {
        return order;
    }

    /** Returns the function that extracts the key of a message; null if the pool is not keyed. */
    public @Nullable Function<? super M, ?> keyed() {
        return key;
    }

    @Nullable
    Function<Object, ?> key() {
        return key;
    }

    /** Returns the maximum number of messages that wait for an earlier message with the same key. */
    int maxBehind() {
        return key == null ? 0 : Math.max(1, capacity / 2);
    }

    ActorBuilder<Object> applyTo(ActorBuilder<Object> builder) {
        ActorBuilder<Object> bounded = builder.bounded(Math.max(1, capacity - maxBehind()), overflow);
        return order == null ? bounded : bounded.priority(Task.before(order));
    }
}
