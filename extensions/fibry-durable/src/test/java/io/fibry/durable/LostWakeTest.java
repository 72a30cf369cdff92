package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.ActorRef;
import io.fibry.ReplyActor;
import io.fibry.ReplyContext;
import io.fibry.ThrowingFunction;
import io.fibry.codec.Codec;
import io.fibry.codec.RecordCodec;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import io.fibry.entity.LocalEntities;
import io.fibry.test.TestSystem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The node of an entity fails without an answer to a wake. */
class LostWakeTest {

    private static final DurableType<String, Void> TYPE = DurableType.of("words", RecordCodec.of(String.class));

    /** The message is delivered soon after the takeover, although it has been claimed several times meanwhile. */
    @Test
    void theMessageIsDeliveredAfterTheTimeout() throws Exception {
        try (var database = SimulatedDatabase.create();
                var test = TestSystem.create()) {
            List<String> handled = new ArrayList<>();
            var table = StateTable.of(
                    database.open(), TYPE, RecordCodec.of(String.class), new Durable<String, String, @Nullable Void>() {
                        @Override
                        public String initial() {
                            return "";
                        }

                        @Override
                        public Change<String, @Nullable Void> handle(String state, String message) {
                            handled.add(message);
                            return Change.to(message);
                        }
                    });
            Instant takeover = test.now().plusSeconds(8);
            var host = new Host(test, takeover);
            DurableEntities<String, Void> entities =
                    DurableEntities.on(host, () -> {}, test.system(), table, DurableOptions.defaults());
            try (var connection = database.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                DurableEntities.send(connection, TYPE, "a", "word");
                connection.commit();
                test.advance(Duration.ofSeconds(11));
                assertEquals(List.of("word"), handled);
            }
            entities.close();
        }
    }

    /** Hosts entities whose asks get no answer before the takeover. */
    private record Host(TestSystem test, Instant takeover) implements EntityHost {

        @Override
        public <M, R extends @Nullable Object> Entities<String, M, R> entities(
                String name,
                Codec<M> messages,
                Codec<R> replies,
                ThrowingFunction<String, EntityBehavior<M, R>> begin,
                EntityOptions options) {
            LocalEntities<String, M, R> local = LocalEntities.start(test.actor(), begin, options);
            ReplyActor<M, R> silent = test.actor("silent")
                    .newActorWithReturnFrom((ReplyContext<M, R> context) -> message -> {
                        var unused = context.deferReply();
                        return null;
                    });
            return new Unreachable<>(this, local, silent);
        }
    }

    private record Unreachable<M, R>(Host host, Entities<String, M, R> local, ReplyActor<M, R> silent)
            implements Entities<String, M, R> {

        @Override
        public String name() {
            return local.name();
        }

        @Override
        public ActorRef<M, R> ref(String key) {
            return host.test.now().isBefore(host.takeover) ? silent : local.ref(key);
        }

        @Override
        public void end(String key) {
            local.end(key);
        }

        @Override
        public int size() {
            return local.size();
        }

        @Override
        public void close() {
            local.close();
        }
    }
}
