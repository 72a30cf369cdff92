package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies of a builder share the {@link ActorKind} until one of them changes it. */
@Timeout(60)
class ActorKindTest {

    private static ActorKind kind(ActorBuilder<Object> builder) {
        return ActorCell.of(builder.newActorFrom(context -> message -> {})).kind;
    }

    @Test
    void copiesShareTheKind() {
        try (ActorSystem system = ActorSystem.create()) {
            ActorBuilder<Object> builder = system.actor()
                    .strategy(ThreadStrategy.virtual())
                    .supervision(Supervision.restart())
                    .copy();
            ActorKind kind = kind(builder.copy());
            assertSame(kind, kind(builder.copy()));
            assertNotSame(kind, kind(builder.copy().supervision(Supervision.escalate())));
        }
    }
}
