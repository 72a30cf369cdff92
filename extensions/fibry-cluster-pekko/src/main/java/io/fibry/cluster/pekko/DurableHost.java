package io.fibry.cluster.pekko;

import io.fibry.ThrowingFunction;
import io.fibry.codec.Codec;
import io.fibry.durable.EntityHost;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import org.jspecify.annotations.Nullable;

/**
 * Hosts durable entities on a node. {@link FencedBehavior} passes the fence once for all stored messages that an entity
 * handles after a wake; the entity passes it again before each of them.
 */
record DurableHost(PekkoCluster cluster) implements EntityHost {

    @Override
    public <M, R extends @Nullable Object> Entities<String, M, R> entities(
            String name,
            Codec<M> messages,
            Codec<R> replies,
            ThrowingFunction<String, EntityBehavior<M, R>> begin,
            EntityOptions options) {
        return cluster.entities(name, messages, replies, begin, options);
    }

    @Override
    public void awaitOwnership() throws InterruptedException {
        cluster.fencing().passStored();
    }
}
