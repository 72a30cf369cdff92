package io.fibry.cluster.pekko;

import io.fibry.ActorSystem;
import io.fibry.ThrowingFunction;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import io.fibry.entity.LocalEntities;
import org.junit.jupiter.api.AfterEach;

/** {@link EntitiesContract} on one machine. */
class LocalEntitiesTest extends EntitiesContract {

    private final ActorSystem system = ActorSystem.create();

    @Override
    Entities<String, String, String> entities(
            ThrowingFunction<String, EntityBehavior<String, String>> begin, EntityOptions options) {
        return LocalEntities.start(system.actor(), begin, options);
    }

    @AfterEach
    void stop() {
        system.close();
    }
}
