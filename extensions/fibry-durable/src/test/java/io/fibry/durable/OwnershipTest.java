package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.ThrowingFunction;
import io.fibry.codec.Codec;
import io.fibry.codec.RecordCodec;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import io.fibry.entity.LocalEntities;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A node loses its entities while one of them handles its stored messages. */
class OwnershipTest extends EffectsFixture {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private boolean owns = true;

    @Override
    DurableEntities<Step, String> another() {
        var table = StateTable.of(store, LOG, RecordCodec.of(Log.class), this::behavior);
        return DurableEntities.on(
                this::hosted,
                this::awaitOwnership,
                test.system(),
                table,
                DurableOptions.defaults().topic(NEWS, topic));
    }

    private <M, R extends @Nullable Object> Entities<String, M, R> hosted(
            String name,
            Codec<M> messages,
            Codec<R> replies,
            ThrowingFunction<String, EntityBehavior<M, R>> begin,
            EntityOptions options) {
        return LocalEntities.start(test.actor(), begin, options);
    }

    private void awaitOwnership() {
        if (!owns) {
            throw new IllegalStateException("the node has lost its entities");
        }
    }

    /** The messages have different senders: a failed message would delay only those of its own sender. */
    @Test
    void noFurtherStoredMessageBegins() {
        during.put("first", () -> owns = false);
        storeMessage(1, "a", "x", step("first", ""));
        storeMessage(2, "b", "x", step("second", ""));
        storeMessage(3, "c", "x", step("third", ""));
        test.advance(MINUTE);
        assertEquals(List.of("x first"), calls);
        owns = true;
        test.advance(MINUTE);
        assertEquals(List.of("first", "second", "third"), texts("x"));
    }

    @Test
    void noPublicationBegins() {
        during.put("first", () -> owns = false);
        tell("x", "first", "publish news");
        test.advance(MINUTE);
        assertEquals(List.of(), published);
        owns = true;
        test.advance(MINUTE);
        assertEquals(List.of("news"), published);
    }
}
