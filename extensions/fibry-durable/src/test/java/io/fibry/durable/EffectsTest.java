package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.codec.RecordCodec;
import io.fibry.test.TestSystem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Messages, reminders, publications and asks with a request key, in virtual time. */
class EffectsTest extends EffectsFixture {

    @Test
    void aMessageIsHandledOnceAfterTheChange() {
        tell("a", "1", "send b x;send c y;send b z");
        assertEquals(List.of("1"), texts("a"));
        assertEquals(List.of("x", "z"), texts("b"));
        assertEquals(List.of("y"), texts("c"));
        assertTrue(store.messages.isEmpty());
        test.advance(Duration.ofMinutes(5));
        assertEquals(4, calls.size());
        tell("a", "2", "send a own");
        assertEquals(List.of("1", "2", "own"), texts("a"));
    }

    @Test
    void afterAFailureNothingIsSent() {
        store.failBeforeSave = true;
        failure("a", "1", "send b x");
        store.failBeforeSave = false;
        test.advance(Duration.ofMinutes(5));
        assertEquals(List.of(), texts("b"));
        var tooLong = assertInstanceOf(IllegalArgumentException.class, failure("a", "1", "remind  PT1S x"));
        assertEquals("name of the reminder must have 1 to 100 characters, not 0", tooLong.getMessage());
        assertEquals(List.of(), texts("a"));
    }

    /** The process ends between the commit and the delivery. */
    @Test
    void afterACrashTheMessageIsDelivered() {
        store.failAfterSave = true; // the receivers are not notified
        failure("a", "1", "send b x");
        store.failAfterSave = false;
        assertEquals(List.of(), texts("b"));
        test.close();
        test = TestSystem.create();
        start();
        test.advance(Duration.ofSeconds(3));
        assertEquals(List.of("x"), texts("b"));
        assertEquals(List.of("1"), texts("a"));
    }

    /** The change of the receiver is stored, but the acknowledgement is lost. */
    @Test
    void aMessageWhoseOutcomeIsUnknownIsNotHandledTwice() {
        tell("b", "0", "");
        store.beforeSave = () -> {
            if (calls.getLast().equals("b x")) {
                store.failAfterSave = true;
            }
        };
        tell("a", "1", "send b x;send b y");
        store.beforeSave = () -> {};
        store.failAfterSave = false;
        test.advance(Duration.ofMinutes(5));
        assertEquals(List.of("0", "x", "y"), texts("b"));
        assertEquals(1, calls.stream().filter("b x"::equals).count());
    }

    /** A failure delays the later messages of its sender, but no others. */
    @Test
    void aFailureIsRepeatedAfterPauses() {
        tell("a", "1", "send c x;fail-at c bad;send c y");
        tell("b", "1", "send c z");
        assertEquals(List.of("x", "z"), texts("c"));
        int before = calls.size();
        test.advance(Duration.ofSeconds(40));
        long attempts = calls.subList(before, calls.size()).stream()
                .filter("c bad"::equals)
                .count();
        assertTrue(attempts >= 4 && attempts <= 20, attempts + " attempts");
        assertEquals(List.of("x", "z"), texts("c"));
        assertEquals(2, store.messages.size());
    }

    @Test
    void twoOwnersHandleAMessageOnce() {
        DurableEntities<Step, String> second = another();
        for (int i = 0; i < 20; i++) {
            tell("a", "m" + i, "send b x" + i);
        }
        test.advance(Duration.ofMinutes(5));
        second.close();
        assertEquals(20, texts("b").size());
        assertEquals(20, List.copyOf(texts("b")).stream().distinct().count());
        assertTrue(store.messages.isEmpty());
    }

    @Test
    void aReminderIsHandledWhenItIsDue() {
        tell("a", "1", "remind r PT2H later");
        test.advance(Duration.ofHours(2).minusSeconds(1));
        assertEquals(List.of("1"), texts("a"));
        test.advance(Duration.ofSeconds(2));
        assertEquals(List.of("1", "later"), texts("a"));
        tell("a", "2", "at r 2000-01-01T00:00:00Z past");
        test.advance(Duration.ofSeconds(1));
        assertEquals(List.of("1", "later", "2", "past"), texts("a"));
        assertTrue(store.messages.isEmpty());
    }

    @Test
    void aReminderSurvivesARestartAndIsReplacedAndCancelled() {
        tell("a", "1", "remind r PT1H first");
        tell("a", "2", "remind s PT1H second");
        logs.close();
        start();
        tell("a", "3", "remind r PT2H third");
        tell("b", "1", "cancel s"); // not its own
        test.advance(Duration.ofMinutes(61));
        assertEquals(List.of("1", "2", "3", "second"), texts("a"));
        test.advance(Duration.ofHours(1));
        assertEquals("third", texts("a").getLast());
        tell("a", "4", "remind r PT1S never;cancel r");
        tell("a", "5", "cancel r;remind r PT1S fifth;remind r PT2S sixth");
        test.advance(Duration.ofMinutes(1));
        assertEquals(List.of("1", "2", "3", "second", "third", "4", "5", "sixth"), texts("a"));
    }

    @Test
    void aReminderThatSetsItselfAgain() {
        tell("a", "begin", "repeat tick PT10S");
        test.advance(Duration.ofSeconds(61));
        assertTrue(texts("a").size() >= 6, texts("a").toString());
        tell("a", "end", "cancel tick");
        int size = texts("a").size();
        test.advance(Duration.ofMinutes(5));
        assertEquals(size, texts("a").size());
    }

    /** Both are due, and are read together. */
    @Test
    void aDueReminderIsCancelledByAMessageBeforeIt() {
        store.failAfterSave = true;
        failure("a", "1", "remind r PT1S late");
        store.failAfterSave = false;
        logs.close();
        storeMessage(1_000, "b", "a", step("cancels", "cancel r"));
        test.advance(Duration.ofSeconds(2));
        start();
        test.advance(Duration.ofSeconds(5));
        assertEquals(List.of("1", "cancels"), texts("a"));
    }

    @Test
    void publications() {
        tell("a", "1", "publish x;publish y");
        tell("a", "2", "publish z");
        assertEquals(List.of("x", "y", "z"), published);
        assertTrue(store.messages.isEmpty());
        assertEquals(5, store.states.get("log/a").revision());
        topic.close();
        tell("a", "3", "publish lost");
        test.advance(Duration.ofMinutes(1));
        assertEquals(1, store.messages.size());
        logs.close();
        start();
        test.advance(Duration.ofMinutes(5));
        assertEquals(List.of("x", "y", "z", "lost"), published);
    }

    @Test
    void anUnknownTopic() {
        logs.close();
        logs = DurableEntities.start(StateTable.of(store, LOG, RecordCodec.of(Log.class), this::behavior));
        String message = assertInstanceOf(IllegalArgumentException.class, failure("a", "1", "publish x"))
                .getMessage();
        assertEquals("the topic news is unknown: add it to the options by DurableOptions.topic", message);
        var options = DurableOptions.defaults().topic(NEWS, topic);
        assertThrows(IllegalArgumentException.class, () -> options.topic(NEWS, topic));
    }

    @Test
    void anAskWithARequestKeyIsHandledOnce() throws Exception {
        DurableRef<Step, String> a = logs.ref("a");
        assertEquals("1!", test.await(a.ask(step("1", "send b x"), "key", TIMEOUT)));
        assertEquals("1!", test.await(a.ask(step("2", "send b y"), "key", TIMEOUT)));
        assertEquals("3!", test.await(a.ask(step("3", ""), "other", TIMEOUT)));
        assertEquals("1!", test.await(logs.ref("b").ask(step("1", ""), "key", TIMEOUT)));
        test.runUntilIdle();
        assertEquals(List.of("1", "3"), texts("a"));
        logs.close();
        start();
        assertEquals("1!", test.await(logs.ref("a").ask(step("4", ""), "key", TIMEOUT)));
        assertThrows(IllegalArgumentException.class, () -> a.ask(step("1", ""), "", TIMEOUT));
    }

    @Test
    void aFailedAskWithARequestKeyIsRepeated() throws Exception {
        var failed = logs.ref("a").ask(step("1", "fail"), "key", TIMEOUT);
        assertThrows(ExecutionException.class, () -> test.await(failed));
        assertEquals("2!", test.await(logs.ref("a").ask(step("2", ""), "key", TIMEOUT)));
        store.failAfterSave = true;
        var unknown = logs.ref("a").ask(step("3", ""), "unknown", TIMEOUT);
        assertThrows(ExecutionException.class, () -> test.await(unknown));
        store.failAfterSave = false;
        assertEquals("3!", test.await(logs.ref("a").ask(step("4", ""), "unknown", TIMEOUT)));
        assertEquals(List.of("2", "3"), texts("a"));
    }

    @Test
    void aReminderOfAnotherType() {
        var other = DurableType.of("other", RecordCodec.of(Step.class));
        Durable<Log, Step, String> behavior = new Durable<>() {
            @Override
            public Log initial() {
                return new Log(List.of());
            }

            @Override
            public Change<Log, String> handle(Log state, Step message) {
                return Change.<Log, String>none("").with(other.remind("r", Duration.ZERO, message));
            }
        };
        try (var entities =
                DurableEntities.start(StateTable.of(store, LOG, RecordCodec.of(Log.class), k -> behavior))) {
            var reply = entities.ref("a").ask(step("1", ""), TIMEOUT);
            var failure = assertThrows(ExecutionException.class, () -> test.await(reply))
                    .getCause();
            assertTrue(failure.getMessage().startsWith("reminder r is for the type other"), failure.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> LOG.remind("r", Duration.ofSeconds(-1), step("", "")));
    }

    @Test
    void metricsCountWhatWaits() throws Exception {
        tell("a", "1", "remind r PT1S r;send b x;fail-at c bad;send c y");
        assertEquals(0, metric("fibry.durable.messages"));
        test.advance(Duration.ofSeconds(6));
        assertEquals(2, metric("fibry.durable.messages"));
        assertEquals(0, metric("fibry.durable.reminders"));
        assertTrue(metric("fibry.durable.failures") >= 2);
    }

    private static long metric(String name) {
        return ActorSystem.defaultSystem().metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .mapToLong(metric -> (long) metric.value())
                .sum();
    }

    @Test
    void effectsAreValues() {
        assertEquals(LOG.send("a", step("x", "")), LOG.send("a", step("x", "")));
        var decision = Decision.to("event", 1).with(LOG.send("a", step("x", "")), Effect.cancel("r"));
        assertEquals(List.of(LOG.send("a", step("x", "")), Effect.cancel("r")), decision.effects());
        assertFalse(decision.with(Effect.cancel("s")).equals(decision));
    }
}
