package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertThrows;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Entities that record messages and have the effects that a message names, in virtual time. */
@Timeout(60)
abstract class EffectsFixture {

    static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** The number of calls after which no message fails any more: without pauses, virtual time would not advance. */
    static final int MANY = 100;

    /** A message that is recorded, and has these effects. */
    record Step(String text, String action) {}

    /** All texts that an entity has handled. */
    record Log(List<String> texts) {}

    static final DurableType<Step, String> LOG =
            DurableType.of("log", RecordCodec.of(Step.class), RecordCodec.of(String.class));

    static final DurableTopic<String> NEWS = DurableTopic.of("news", RecordCodec.of(String.class));

    final MemoryStore store = new MemoryStore();
    final List<String> published = new ArrayList<>();

    /** The calls of the behavior, including failed ones. */
    final List<String> calls = new ArrayList<>();

    /** What happens once while an entity handles the message with a text. */
    final Map<String, Runnable> during = new HashMap<>();

    TestSystem test;
    LocalTopic<String> topic;
    DurableEntities<Step, String> logs;

    @BeforeEach
    void begin() {
        test = TestSystem.create();
        start();
    }

    void start() {
        topic = Stereotypes.def().topic(TopicOptions.defaults());
        topic.subscribe(ActorSystem.defaultSystem().actor().newActor(published::add));
        logs = another();
    }

    /** Starts entities of the same type, as a restarted or another process does. */
    DurableEntities<Step, String> another() {
        var table = StateTable.of(store, LOG, RecordCodec.of(Log.class), this::behavior);
        var options = DurableOptions.defaults().topic(NEWS, topic);
        return DurableEntities.start(table, options);
    }

    @AfterEach
    void end() {
        test.close();
    }

    Durable<Log, Step, String> behavior(String key) {
        return new Durable<>() {
            @Override
            public Log initial() {
                return new Log(List.of());
            }

            @Override
            public Change<Log, String> handle(Log log, Step step) throws IOException {
                calls.add(key + " " + step.text);
                Runnable once = during.remove(step.text);
                if (once != null) {
                    once.run();
                }
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

    Effect[] effect(String action) {
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

    static Step step(String text, String action) {
        return new Step(text, action);
    }

    void tell(String key, String text, String action) {
        logs.ref(key).tell(step(text, action));
        test.runUntilIdle();
    }

    List<String> texts(String key) {
        DurableStore.Stored stored = store.states.get("log/" + key);
        return stored == null
                ? List.of()
                : RecordCodec.of(Log.class).decode(stored.state()).texts();
    }

    Throwable failure(String key, String text, String action) {
        var reply = logs.ref(key).ask(step(text, action), TIMEOUT);
        return assertThrows(ExecutionException.class, () -> test.await(reply)).getCause();
    }

    /** Stores a message, as another process does. */
    final void storeMessage(long number, String sender, String key, Step step) {
        store(number, key, "log/" + sender, null, 0, step);
    }

    /** Stores a reminder that is due. */
    final void storeReminder(long number, String key, Step step) {
        store(number, key, null, "r" + number, test.now().toEpochMilli(), step);
    }

    private void store(long number, String key, String sender, String reminder, long due, Step step) {
        long now = test.now().toEpochMilli();
        var message = new DurableStore.NewMessage(
                "log", key, sender, null, reminder, due, now, LOG.messages().encode(step));
        store.messages.put(number, new MemoryStore.Waits(message, now, 0));
    }
}
