package io.fibry.batch;

import io.fibry.ActorBuilder;
import io.fibry.Overflow;
import java.time.Duration;
import java.util.Objects;

/**
 * The options of a batcher: batch size, delay and mailbox. Immutable: {@link #bounded} returns new options. The other
 * methods return the values.
 */
public final class BatchOptions {

    private static final int DEFAULT_CAPACITY = 1_000;

    private final int maxSize;
    private final Duration maxDelay;
    private final int capacity;
    private final Overflow overflow;

    private BatchOptions(int maxSize, Duration maxDelay, int capacity, Overflow overflow) {
        this.maxSize = maxSize;
        this.maxDelay = maxDelay;
        this.capacity = capacity;
        this.overflow = overflow;
    }

    /**
     * Sets the maximum size of a batch, and the maximum time between the collection of its first message and its
     * handling. While a batch is handled, up to 1,000 messages wait in the mailbox; when it is full, senders block.
     *
     * @throws IllegalArgumentException if the size is less than 1, or the delay is not positive
     */
    public static BatchOptions of(int maxSize, Duration maxDelay) {
        if (maxSize < 1) {
            throw new IllegalArgumentException("maxSize must be at least 1, not " + maxSize);
        }
        if (maxDelay.isZero() || maxDelay.isNegative()) {
            throw new IllegalArgumentException("maxDelay must be positive, not " + maxDelay);
        }
        return new BatchOptions(maxSize, maxDelay, DEFAULT_CAPACITY, Overflow.BLOCK);
    }

    /**
     * Limits the number of messages that wait in the mailbox, excluding collected messages; see
     * {@link ActorBuilder#bounded}. The default is 1,000 with {@link Overflow#BLOCK}.
     *
     * @throws IllegalArgumentException if the capacity is less than 1
     */
    public BatchOptions bounded(int capacity, Overflow overflow) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be at least 1, not " + capacity);
        }
        return new BatchOptions(maxSize, maxDelay, capacity, Objects.requireNonNull(overflow, "overflow"));
    }

    // ---- the values

    public int maxSize() {
        return maxSize;
    }

    public Duration maxDelay() {
        return maxDelay;
    }

    /** Returns the maximum number of messages in the mailbox. */
    public int capacity() {
        return capacity;
    }

    /** Returns the policy for a full mailbox. */
    public Overflow overflow() {
        return overflow;
    }

    ActorBuilder<Object> applyTo(ActorBuilder<Object> builder) {
        return builder.bounded(capacity, overflow);
    }
}
