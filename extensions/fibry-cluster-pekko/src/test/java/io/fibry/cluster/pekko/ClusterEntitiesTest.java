package io.fibry.cluster.pekko;

import io.fibry.ThrowingFunction;
import io.fibry.codec.RecordCodec;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** {@link EntitiesContract} on a cluster of two nodes, one of which hosts the types. */
class ClusterEntitiesTest extends EntitiesContract {

    private static final RecordCodec<String> WORDS = RecordCodec.of(String.class);

    private static final Nodes nodes = new Nodes();
    private static final AtomicInteger types = new AtomicInteger();
    private static PekkoCluster host;

    @BeforeAll
    static void start() throws Exception {
        String seed = Nodes.freeAddress();
        nodes.join(Nodes.options(seed, seed));
        host = nodes.join(Nodes.options(Nodes.freeAddress(), seed));
    }

    @AfterAll
    static void stop() {
        nodes.close();
    }

    @Override
    Entities<String, String, String> entities(
            ThrowingFunction<String, EntityBehavior<String, String>> begin, EntityOptions options) {
        return host.entities("type" + types.incrementAndGet(), WORDS, WORDS, begin, options);
    }
}
