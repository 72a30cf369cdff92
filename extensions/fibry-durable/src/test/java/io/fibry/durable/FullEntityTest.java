package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Overflow;
import io.fibry.codec.RecordCodec;
import io.fibry.entity.EntityOptions;
import io.fibry.test.Probe;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An entity with a full mailbox, whose senders wait for room, delays the stored messages of no other entity. */
class FullEntityTest extends EffectsFixture {

    private static final Duration HOUR = Duration.ofHours(1);

    private Probe<Step> slow;

    @Override
    void start() {
        slow = test.probe("slow");
        super.start();
    }

    @Override
    DurableEntities<Step, String> another() {
        return DurableEntities.start(
                StateTable.of(store, LOG, RecordCodec.of(Log.class), this::behavior),
                DurableOptions.defaults().entities(EntityOptions.defaults().bounded(1, Overflow.BLOCK)));
    }

    /** Handles a step with the action "wait" until the probe replies. */
    @Override
    Durable<Log, Step, String> behavior(String key) {
        Durable<Log, Step, String> behavior = super.behavior(key);
        return new Durable<>() {
            @Override
            public Log initial() {
                return behavior.initial();
            }

            @Override
            public Change<Log, String> handle(Log log, Step step) throws Exception {
                if (step.action().equals("wait")) {
                    slow.asReplyActor().ask(step, HOUR).get();
                }
                return behavior.handle(log, step);
            }
        };
    }

    private void fill(String key) {
        tell(key, "1", "wait");
        assertEquals("1", slow.next().text());
        tell(key, "2", "");
        assertTrue(!logs.ref(key).tryTell(step("3", "")), "the mailbox is full");
    }

    @Test
    void aMessageOfThisProcessIsDelivered() {
        fill("full");
        tell("a", "1", "send full x;send other y");
        assertEquals(List.of("y"), texts("other"));
        slow.reply("go on");
        test.runUntilIdle();
        assertEquals(List.of("1", "2", "x"), texts("full"));
    }

    @Test
    void aMessageOfAnotherProcessIsDelivered() {
        fill("full");
        storeMessage(1, "a", "full", step("x", ""));
        storeMessage(2, "a", "other", step("y", ""));
        test.advance(Duration.ofSeconds(1));
        assertEquals(List.of("y"), texts("other"));
        slow.reply("go on");
        test.runUntilIdle();
        assertEquals(List.of("1", "2", "x"), texts("full"));
    }

    /** The wakes that wait for room end with the entities. */
    @Test
    void theEntitiesCloseWhileAMessageWaits() {
        fill("full");
        tell("a", "1", "send full x");
        slow.reply("go on");
        logs.close();
        assertEquals(List.of("1", "2"), texts("full").subList(0, 2));
        assertTrue(
                test.elapsed().compareTo(Duration.ofSeconds(1)) < 0,
                test.elapsed().toString());
    }
}
