package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.codec.RecordCodec;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.test.TestSystem;
import io.fibry.topic.LocalTopic;
import io.fibry.topic.TopicOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages, reminders, publications and asks with a request key, in virtual time. */
@Timeout(60)
class EffectsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** The number of calls after which no message fails any more: without pauses, virtual time would not advance. */
    private static final int MANY = 100;

    /** A message that is recorded, and has these effects. */
    record Step(String text, String action) {}

    /** All texts that an entity has handled. */
    record Log(List<String> texts) {}

    private static final DurableType<Step, String> LOG =
            DurableType.of("log", RecordCodec.of(Step.class), RecordCodec.of(String.class));

    private static final DurableTopic<String> NEWS = DurableTopic.of("news", RecordCodec.of(String.class));

    private final MemoryStore store = new MemoryStore();
    private final List<String> published = new ArrayList<>();

    /** The calls of the behavior, including failed ones. */
    private final List<String> calls = new ArrayList<>();

    private TestSystem test;
    private LocalTopic<String> topic;
    private DurableEntities<Step, String> logs;

    @BeforeEach
    void begin() {
        test = TestSystem.create();
        start();
    }

    private void start() {
        topic = Stereotypes.def().topic(TopicOptions.defaults());
        topic.subscribe(ActorSystem.defaultSystem().actor().newActor(published::add));
        logs = another();
    }

    /** Starts entities of the same type, as a restarted or another process does. */
    private DurableEntities<Step, String> another() {
        var table = StateTable.of(store, LOG, RecordCodec.of(Log.class), this::behavior);
        var options = DurableOptions.defaults().topic(NEWS, topic);
        return DurableEntities.start(table, options);
    }

    @AfterEach
    void end() {
        test.close();
    }

    private Durable<Log, Step, String> behavior(String key) {
        return new Durable<>() {
            @Override
            public Log initial() {
                return new Log(List.of());
            }

            @Override
            public Change<Log, String> handle(Log log, Step step) throws IOException {
                calls.add(key + " " + step.text);
                if (step.action.equals("fail") && calls.size() < MANY) {
                    throw new IOException("refused " + step.text);
                }
                if (step.action.equals("error")) {
                    throw new AssertionError("refused " + step.text);
                }
                List<String> texts = new ArrayList<>(log.texts);
                texts.add(step.text);
                Change<Log, String> change = Change.to(new Log(texts), step.text + "!");
                for (String action : step.action.split(";", 0)) {
                    change = change.with(effect(action));
                }
                return change;
            }
        };
    }

    private Effect[] effect(String action) {
        String[] words = action.split(" ", 0);
        return switch (words[0]) {
            case "send" -> new Effect[] {LOG.send(words[1], step(words[2], ""))};
            case "fail-at" -> new Effect[] {LOG.send(words[1], step(words[2], "fail"))};
            case "error-at" -> new Effect[] {LOG.send(words[1], step(words[2], "error"))};
            case "remind" -> new Effect[] {LOG.remind(words[1], Duration.parse(words[2]), step(words[3], ""))};
            case "at" -> new Effect[] {LOG.remind(words[1], Instant.parse(words[2]), step(words[3], ""))};
            case "repeat" ->
                new Effect[] {LOG.remind(words[1], Duration.parse(words[2]), step(words[1], action.replace('_', ' ')))};
            case "cancel" -> new Effect[] {Effect.cancel(words[1])};
            case "publish" -> new Effect[] {NEWS.publish(words[1])};
            default -> new Effect[0];
        };
    }

    private static Step step(String text, String action) {
        return new Step(text, action);
    }

    private void tell(String key, String text, String action) {
        logs.ref(key).tell(step(text, action));
        test.runUntilIdle();
    }

    private List<String> texts(String key) {
        DurableStore.Stored stored = store.states.get("log/" + key);
        return stored == null
                ? List.of()
                : RecordCodec.of(Log.class).decode(stored.state()).texts();
    }

    private Throwable failure(String key, String text, String action) {
        var reply = logs.ref(key).ask(step(text, action), TIMEOUT);
        return assertThrows(ExecutionException.class, () -> test.await(reply)).getCause();
    }

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
        storeMessage("b", "cancels");
        test.advance(Duration.ofSeconds(2));
        start();
        test.advance(Duration.ofSeconds(5));
        assertEquals(List.of("1", "cancels"), texts("a"));
    }

    /** The failed message and the others of its sender do not delay other senders, however many there are. */
    @Test
    void aLongBacklogBehindAFailedMessage() {
        int backlog = 2_000;
        for (long number = 1; number <= backlog; number++) {
            store(number, "a", number == 1 ? step("bad", "fail") : step("waits", ""));
        }
        store(backlog + 1L, "z", step("z", ""));
        test.advance(Duration.ofSeconds(40));
        assertEquals(List.of("z"), texts("c"));
        assertEquals(backlog, store.messages.size());
        long attempts = calls.stream().filter("c bad"::equals).count();
        assertTrue(attempts >= 4 && attempts <= 20, attempts + " attempts");
    }

    private void store(long number, String sender, Step step) {
        long now = test.now().toEpochMilli();
        var message = new DurableStore.NewMessage(
                "log", "c", "log/" + sender, null, null, 0, now, LOG.messages().encode(step));
        store.messages.put(number, new MemoryStore.Waits(message, now, 0));
    }

    @Test
    void anErrorDelaysOnlyItsSender() {
        tell("a", "1", "send c x;error-at c bad;send c y");
        tell("b", "1", "send c z");
        assertEquals(List.of("x", "z"), texts("c"));
    }

    /** Stores a message to a, which cancels the reminder, as another process does. */
    private void storeMessage(String sender, String text) {
        long now = test.now().toEpochMilli();
        var message = new DurableStore.NewMessage(
                "log", "a", "log/" + sender, null, null, 0, now, LOG.messages().encode(step(text, "cancel r")));
        store.messages.put(1000L, new MemoryStore.Waits(message, now, 0));
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
