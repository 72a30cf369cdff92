package io.fibry.durable;

import io.fibry.codec.Codec;
import java.util.Objects;

/**
 * A topic to which durable entities publish: its name, and the codec of its messages. Immutable; usually a constant.
 *
 * {@snippet class = "EffectSnippets" region = "topic"}
 *
 * <p>The name is part of the stored data. {@link DurableOptions#topic} assigns a topic of the program to it.
 *
 * @param name the name, 1 to 100 characters
 * @param messages the codec of the messages
 * @param <T> the type of the messages
 */
public record DurableTopic<T>(String name, Codec<T> messages) {

    /** @throws IllegalArgumentException if the name is not valid */
    public DurableTopic {
        Names.checkTopic(name);
        Objects.requireNonNull(messages, "messages");
    }

    /** Returns a topic. */
    public static <T> DurableTopic<T> of(String name, Codec<T> messages) {
        return new DurableTopic<>(name, messages);
    }

    /**
     * Returns the effect that the deciding entity calls {@code publish} of the topic, at least once, and in order per
     * entity and topic. The topic must be one of {@link DurableOptions#topic}.
     */
    public Effect publish(T message) {
        return new Effect.Publish<>(this, message);
    }
}
