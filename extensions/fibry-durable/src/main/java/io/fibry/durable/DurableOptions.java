package io.fibry.durable;

import io.fibry.codec.Codec;
import io.fibry.entity.EntityOptions;
import io.fibry.topic.Topic;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@link DurableEntities}. Immutable: each method with a parameter returns new options, and the method
 * of the same name without a parameter returns the value.
 */
public final class DurableOptions {

    private static final DurableOptions DEFAULTS =
            new DurableOptions(EntityOptions.defaults(), Duration.ofDays(1), Map.of());

    private final EntityOptions entities;
    private final Duration keepReplies;
    private final Map<String, StoredTopic<?>> topics;

    private DurableOptions(EntityOptions entities, Duration keepReplies, Map<String, StoredTopic<?>> topics) {
        this.entities = entities;
        this.keepReplies = keepReplies;
        this.topics = topics;
    }

    /** Returns the defaults: {@link EntityOptions#defaults}, replies are kept for a day, and no topics. */
    public static DurableOptions defaults() {
        return DEFAULTS;
    }

    /** Sets the options of the entities' actors. */
    public DurableOptions entities(EntityOptions options) {
        return new DurableOptions(Objects.requireNonNull(options, "options"), keepReplies, topics);
    }

    public EntityOptions entities() {
        return entities;
    }

    /**
     * Sets the time for which replies to asks with a request key are kept; see {@link DurableRef#ask(Object, String,
     * Duration)}. They are deleted later than that, by about a minute.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public DurableOptions keepReplies(Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("the time must be positive, not " + time);
        }
        return new DurableOptions(entities, time, topics);
    }

    public Duration keepReplies() {
        return keepReplies;
    }

    /**
     * Adds a topic to which the entities publish with {@link Effect#publish}. All nodes that host the type add it,
     * since the entity may move before it publishes a stored message.
     *
     * @throws IllegalArgumentException if there is a topic of the same name, or its name is not valid
     */
    public <T> DurableOptions topic(Topic<T> topic, Codec<T> messages) {
        Names.checkTopic(topic.name());
        var more = new HashMap<>(topics);
        if (more.put(topic.name(), new StoredTopic<>(topic, Objects.requireNonNull(messages, "messages"))) != null) {
            throw new IllegalArgumentException("there is a topic with the name " + topic.name() + " already");
        }
        return new DurableOptions(entities, keepReplies, Map.copyOf(more));
    }

    @Nullable
    StoredTopic<?> topic(String name) {
        return topics.get(name);
    }

    /** A topic, and the stored form of its messages. */
    record StoredTopic<T>(Topic<T> topic, Codec<T> messages) {

        void publish(byte[] message) {
            topic.publish(messages.decode(message));
        }

        @SuppressWarnings("unchecked") // a message of another type fails in the codec
        byte[] encode(Object message) {
            return messages.encode((T) message);
        }
    }
}
