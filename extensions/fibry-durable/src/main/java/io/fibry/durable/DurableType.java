package io.fibry.durable;

import io.fibry.codec.Codec;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A type of durable entities: its name, and the codecs of its messages and replies. Immutable; usually a constant,
 * which is also the address of the type in {@linkplain Effect effects} of other entities.
 *
 * {@snippet class = "EffectSnippets" region = "type"}
 *
 * <p>The name is part of the stored data. In a cluster, it is also the name of the entity type.
 *
 * @param name the name, 1 to 100 characters
 * @param messages the codec of the messages
 * @param replies the codec of the replies; it does not need to support null
 * @param <M> the type of the messages
 * @param <R> the type of the replies; {@link Void} if there are none
 */
public record DurableType<M, R extends @Nullable Object>(String name, Codec<M> messages, Codec<R> replies) {

    /** @throws IllegalArgumentException if the name is not valid */
    public DurableType {
        Names.checkType(name);
        Objects.requireNonNull(messages, "messages");
        Objects.requireNonNull(replies, "replies");
    }

    /** Returns a type whose entities do not reply. */
    public static <M> DurableType<M, @Nullable Void> of(String name, Codec<M> messages) {
        return new DurableType<>(name, messages, Codec.none());
    }

    /** Returns a type whose entities reply. */
    public static <M, R extends @Nullable Object> DurableType<M, R> of(
            String name, Codec<M> messages, Codec<R> replies) {
        return new DurableType<>(name, messages, replies);
    }

    /**
     * Returns the effect that a message is sent to the entity of this key. Sender and receiver use the same database.
     *
     * @throws IllegalArgumentException if the key does not have 1 to 500 characters
     */
    public Effect send(String key, M message) {
        return new Effect.Send<>(this, key, message);
    }

    /**
     * Returns the effect that the deciding entity, which is of this type, receives a message after a delay. Replaces
     * its reminder of the same name.
     *
     * @param name the name of the reminder, 1 to 100 characters
     * @throws IllegalArgumentException if the name is not valid, or the delay is negative
     */
    public Effect remind(String name, Duration delay, M message) {
        return new Effect.RemindAfter<>(this, name, delay, message);
    }

    /**
     * Returns the effect that the deciding entity, which is of this type, receives a message at this time, or at once
     * if it has passed. Replaces its reminder of the same name.
     *
     * @param name the name of the reminder, 1 to 100 characters
     * @throws IllegalArgumentException if the name is not valid
     */
    public Effect remind(String name, Instant due, M message) {
        return new Effect.RemindAt<>(this, name, due, message);
    }
}
