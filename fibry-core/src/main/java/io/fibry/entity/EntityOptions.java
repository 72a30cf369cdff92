package io.fibry.entity;

import io.fibry.Overflow;
import io.fibry.Supervision;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * When {@link Entities} end, and what happens to those that fail. Immutable: each method with a parameter returns new options, and
 * the method of the same name without a parameter returns the value.
 */
public final class EntityOptions {

    private static final EntityOptions DEFAULTS = new EntityOptions(new Values());

    /** Not modified any more once the constructor has been called. */
    private final Values values;

    private EntityOptions(Values values) {
        this.values = values;
    }

    /**
     * The defaults: an entity ends after 10 minutes without a message; any number of entities; mailboxes without a limit; after a
     * failure an entity goes on with its state; and if an entity cannot begin, its message fails.
     */
    public static EntityOptions defaults() {
        return DEFAULTS;
    }

    private EntityOptions with(Consumer<Values> change) {
        var copy = new Values(values);
        change.accept(copy);
        return new EntityOptions(copy);
    }

    /**
     * Sets how long an entity may be without a message before it ends; null means for ever. It may take an eighth longer.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public EntityOptions idleTimeout(@Nullable Duration timeout) {
        checkPositive("idleTimeout", timeout);
        return with(v -> v.idleTimeout = timeout);
    }

    /**
     * Limits the number of entities in memory. When another one begins, the one whose last message is the oldest is stopped. It still
     * handles the messages that it has accepted. An entity that handles a message is not stopped: there are more while more of them
     * are busy, and the limit holds again within a second after that.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public EntityOptions maxInMemory(int entities) {
        checkPositive("maxInMemory", entities);
        return with(v -> v.maxInMemory = entities);
    }

    /**
     * Sets what happens when a behavior fails. {@link Supervision#resume()}, the default, goes on with its state.
     * {@link Supervision#restart()} begins a new one with the next message, and no message is lost. {@link Supervision#stop()} ends the
     * entity: messages that wait in it become dead letters, and the next message begins a new one.
     */
    public EntityOptions supervision(Supervision supervision) {
        Objects.requireNonNull(supervision, "supervision");
        return with(v -> v.supervision = supervision);
    }

    /**
     * Limits how many messages may wait for each entity, as {@link io.fibry.ActorBuilder#bounded} does.
     *
     * @throws IllegalArgumentException if the capacity is less than 1
     */
    public EntityOptions bounded(int capacity, Overflow overflow) {
        checkPositive("capacity", capacity);
        Objects.requireNonNull(overflow, "overflow");
        return with(v -> {
            v.capacity = capacity;
            v.overflow = overflow;
        });
    }

    /**
     * Keeps the messages of an entity that cannot begin, and tries to begin again after this pause, until it succeeds or is stopped.
     * Each failure is logged. Null, the default, means that each message tries once, and fails if that fails. After a stop, each
     * message that waits tries once. The pause keeps the entity's thread, so a pool of few threads is no place for it.
     *
     * @throws IllegalArgumentException if the pause is not positive
     */
    public EntityOptions retryBegin(@Nullable Duration pause) {
        checkPositive("retryBegin", pause);
        return with(v -> v.retryBegin = pause);
    }

    public @Nullable Duration idleTimeout() {
        return values.idleTimeout;
    }

    public int maxInMemory() {
        return values.maxInMemory;
    }

    public Supervision supervision() {
        return values.supervision;
    }

    /** The number of messages that may wait for each entity; 0 means any number. */
    public int capacity() {
        return values.capacity;
    }

    public Overflow overflow() {
        return values.overflow;
    }

    public @Nullable Duration retryBegin() {
        return values.retryBegin;
    }

    private static void checkPositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, not " + value);
        }
    }

    private static void checkPositive(String name, @Nullable Duration value) {
        if (value != null && (value.isZero() || value.isNegative())) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
    }

    private static final class Values {
        @Nullable
        Duration idleTimeout = Duration.ofMinutes(10);

        int maxInMemory = Integer.MAX_VALUE;
        Supervision supervision = Supervision.resume();
        int capacity;
        Overflow overflow = Overflow.BLOCK;

        @Nullable
        Duration retryBegin;

        Values() {}

        Values(Values from) {
            idleTimeout = from.idleTimeout;
            maxInMemory = from.maxInMemory;
            supervision = from.supervision;
            capacity = from.capacity;
            overflow = from.overflow;
            retryBegin = from.retryBegin;
        }
    }
}
