package io.fibry.durable;

import io.fibry.codec.Codec;
import io.fibry.entity.Entities;
import org.jspecify.annotations.Nullable;

/** Refers to entities that other processes host, such as {@code ClusterSystem.client}. */
@FunctionalInterface
public interface EntityClients {

    /** Returns the entities of the type with this name. */
    <M, R extends @Nullable Object> Entities<String, M, R> client(String name, Codec<M> messages, Codec<R> replies);
}
