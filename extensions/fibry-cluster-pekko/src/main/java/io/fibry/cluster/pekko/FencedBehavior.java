package io.fibry.cluster.pekko;

import io.fibry.entity.EntityBehavior;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A behavior that begins a message only while this node owns its entity. */
final class FencedBehavior<M, R extends @Nullable Object> implements EntityBehavior<M, R> {

    private final PekkoCluster cluster;
    private final EntityBehavior<M, R> behavior;

    FencedBehavior(PekkoCluster cluster, EntityBehavior<M, R> behavior) {
        this.cluster = cluster;
        this.behavior = Objects.requireNonNull(behavior, "the behavior of an entity");
    }

    @Override
    public R handle(M message) throws Exception {
        cluster.passFence();
        return behavior.handle(message);
    }

    /** Not fenced: the next owner waits for this end, or has a store that knows versions. */
    @Override
    public void end() throws Exception {
        behavior.end();
    }
}
