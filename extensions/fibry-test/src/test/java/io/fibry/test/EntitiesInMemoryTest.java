package io.fibry.test;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.ReplyActor;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import io.fibry.entity.LocalEntities;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The limit of entities in memory stops no busy entity, although its time stands still while it handles a message. */
class EntitiesInMemoryTest {

    private static final Duration HOUR = Duration.ofHours(1);

    @AutoClose
    private final TestSystem test = TestSystem.create();

    private final Probe<String> silent = test.probe("silent");
    private final List<String> ended = new ArrayList<>();

    private EntityBehavior<String, String> behavior(String key) {
        ReplyActor<String, Object> other = silent.asReplyActor();
        return new EntityBehavior<>() {
            @Override
            public String handle(String message) throws Exception {
                return message.equals("wait") ? other.ask(key, HOUR).get().toString() : message;
            }

            @Override
            public void onEnd() {
                ended.add(key);
            }
        };
    }

    /** The other entity is new, so it has handled no message yet. */
    @Test
    void aBusyEntityIsNotStopped() {
        var entities = LocalEntities.start(
                test.actor("entities"),
                this::behavior,
                EntityOptions.defaults().idleTimeout(null).maxInMemory(1));
        CompletableFuture<String> busy = entities.ref("busy").ask("wait", HOUR);
        test.runUntilIdle();
        entities.ref("other").tell("a");
        test.runUntilIdle();
        assertEquals(List.of("other"), ended);
        silent.expect("busy");
        silent.reply("done");
        assertEquals("done", busy.join());
        test.runUntilIdle();
        assertEquals(List.of("other"), ended);
    }
}
