package io.fibry.entity;

import io.fibry.Overflow;
import io.fibry.Supervision;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@link Entities}: the end of entities, their mailboxes, and the policy for failures. Immutable: each
 * method with a parameter returns new options, and the method of the same name without a parameter returns the value.
 * {@link #capacity()} and {@link #overflow()} return the values of {@link #bounded}.
 */
public final class EntityOptions {

    private static final EntityOptions DEFAULTS = new EntityOptions(new Values());

    /** Not modified after construction. */
    private final Values values;

    private EntityOptions(Values values) {
        this.values = values;
    }

    /**
     * Returns the defaults: an entity ends after 10 minutes without a message; the number of entities and the mailboxes
     * are unlimited; after a failure an entity keeps its state; and if an entity cannot begin, its message fails.
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
     * Sets the time without a message after which an entity ends; null means never. The entity may end up to an eighth
     * of this time later.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public EntityOptions idleTimeout(@Nullable Duration timeout) {
        checkPositive("idleTimeout", timeout);
        return with(v -> v.idleTimeout = timeout);
    }

    /**
     * Limits the number of entities in memory. When another one begins, the least recently used entity is stopped. It
     * still handles its accepted messages. An entity that is handling a message is not stopped: while more entities are
     * busy, the limit may be exceeded. It holds again within a second after they become idle.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public EntityOptions maxInMemory(int entities) {
        checkPositive("maxInMemory", entities);
        return with(v -> v.maxInMemory = entities);
    }

    /**
     * Sets the policy for failures of a behavior. {@link Supervision#resume()}, the default, keeps the state.
     * {@link Supervision#restart()} begins a new behavior with the next message, and loses no message.
     * {@link Supervision#stop()} ends the entity: its waiting messages become dead letters, and the next message begins
     * a new entity.
     */
    public EntityOptions supervision(Supervision supervision) {
        Objects.requireNonNull(supervision, "supervision");
        return with(v -> v.supervision = supervision);
    }

    /**
     * Limits the number of waiting messages of each entity, as {@link io.fibry.ActorBuilder#bounded} does.
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
     * Keeps the messages of an entity whose behavior cannot be created, and retries after this pause, until the
     * creation succeeds or the entity is stopped. Each failure is logged. Null, the default, means that each message
     * causes one attempt, and fails if the attempt fails. After a stop, each waiting message causes one attempt. The
     * pause occupies the entity's thread, so it is not suitable for a small thread pool.
     *
     * @throws IllegalArgumentException if the pause is not positive
     */
    public EntityOptions startRetryDelay(@Nullable Duration pause) {
        checkPositive("startRetryDelay", pause);
        return with(v -> v.startRetryDelay = pause);
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

    /** Returns the maximum number of waiting messages of each entity; 0 means unlimited. */
    public int capacity() {
        return values.capacity;
    }

    public Overflow overflow() {
        return values.overflow;
    }

    public @Nullable Duration startRetryDelay() {
        return values.startRetryDelay;
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
        Duration startRetryDelay;

        Values() {}

        Values(Values from) {
            idleTimeout = from.idleTimeout;
            maxInMemory = from.maxInMemory;
            supervision = from.supervision;
            capacity = from.capacity;
            overflow = from.overflow;
            startRetryDelay = from.startRetryDelay;
        }
    }
}
