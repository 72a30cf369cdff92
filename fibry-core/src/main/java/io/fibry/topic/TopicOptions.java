package io.fibry.topic;

import io.fibry.ActorBuilder;
import io.fibry.Overflow;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link LocalTopic}. Immutable: each method with a parameter returns new options, and the method of
 * the same name without a parameter returns the value. {@link #capacity()} and {@link #overflow()} return the values of
 * {@link #bounded}.
 */
public final class TopicOptions {

    private static final TopicOptions DEFAULTS = new TopicOptions(false, 0, null);

    private final boolean keepLast;
    private final int capacity;
    private final @Nullable Overflow overflow;

    private TopicOptions(boolean keepLast, int capacity, @Nullable Overflow overflow) {
        this.keepLast = keepLast;
        this.capacity = capacity;
        this.overflow = overflow;
    }

    /** Returns the defaults: the last message is not kept, and the topic's mailbox is unbounded. */
    public static TopicOptions defaults() {
        return DEFAULTS;
    }

    /** Sets whether the topic keeps its last message and sends it to each new subscriber first. */
    public TopicOptions keepLast(boolean keep) {
        return new TopicOptions(keep, capacity, overflow);
    }

    /**
     * Limits the number of messages that wait in the topic's mailbox; see {@link ActorBuilder#bounded}. The limit
     * applies to publishers that are faster than the topic, not to slow subscribers.
     *
     * @throws IllegalArgumentException if the capacity is less than 1
     */
    public TopicOptions bounded(int capacity, Overflow overflow) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be at least 1, not " + capacity);
        }
        return new TopicOptions(keepLast, capacity, Objects.requireNonNull(overflow, "overflow"));
    }

    // ---- the values

    public boolean keepLast() {
        return keepLast;
    }

    /** Returns the maximum number of messages in the topic's mailbox; 0 means unlimited. */
    public int capacity() {
        return capacity;
    }

    /** Returns the policy for a full mailbox; null if the mailbox is unbounded. */
    public @Nullable Overflow overflow() {
        return overflow;
    }

    ActorBuilder<Object> applyTo(ActorBuilder<Object> builder) {
        return overflow == null ? builder : builder.bounded(capacity, overflow);
    }
}
