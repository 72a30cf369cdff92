package io.fibry.durable;

import io.fibry.ThrowingFunction;
import io.fibry.codec.Codec;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import org.jspecify.annotations.Nullable;

/** Creates entities: on one machine, or as a node of a cluster. {@link DurableEntities} adds durability to them. */
@FunctionalInterface
public interface EntityHost {

    /**
     * Creates the entities of a type.
     *
     * @param name the name of the type
     * @param begin creates the behavior of an entity, at its first message and inside its actor; it may block
     */
    <M, R extends @Nullable Object> Entities<String, M, R> entities(
            String name,
            Codec<M> messages,
            Codec<R> replies,
            ThrowingFunction<String, EntityBehavior<M, R>> begin,
            EntityOptions options);
}
