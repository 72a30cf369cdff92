package io.fibry.durable;

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

    private static final Duration MAX_TIME = Duration.ofDays(36_500);

    private final EntityOptions entities;
    private final Duration keepReplies;
    private final Map<String, Target<?>> topics;

    private DurableOptions(EntityOptions entities, Duration keepReplies, Map<String, Target<?>> topics) {
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
     * Duration)}. They are deleted up to about a minute later.
     *
     * @throws IllegalArgumentException if the time is not positive, or longer than 36,500 days
     */
    public DurableOptions keepReplies(Duration time) {
        if (time.isZero() || time.isNegative() || time.compareTo(MAX_TIME) > 0) {
            throw new IllegalArgumentException("the time must be positive and at most 36,500 days, not " + time);
        }
        return new DurableOptions(entities, time, topics);
    }

    public Duration keepReplies() {
        return keepReplies;
    }

    /**
     * Adds a topic to which the entities publish. All nodes that host the type add it, since the entity may move before
     * it publishes a stored message.
     *
     * @param target receives the messages: a topic of this machine or of a cluster
     * @throws IllegalArgumentException if there is a topic of the same name
     */
    public <T> DurableOptions topic(DurableTopic<T> topic, Topic<T> target) {
        var more = new HashMap<>(topics);
        if (more.put(topic.name(), new Target<>(topic, Objects.requireNonNull(target, "target"))) != null) {
            throw new IllegalArgumentException("there is a topic with the name " + topic.name() + " already");
        }
        return new DurableOptions(entities, keepReplies, Map.copyOf(more));
    }

    /** Returns the target of a topic, or null if it is unknown. */
    @Nullable
    Target<?> target(String topic) {
        return topics.get(topic);
    }

    /** A topic, and its topic in the program. */
    record Target<T>(DurableTopic<T> topic, Topic<T> target) {

        void publish(byte[] message) {
            target.publish(topic.messages().decode(message));
        }
    }
}
