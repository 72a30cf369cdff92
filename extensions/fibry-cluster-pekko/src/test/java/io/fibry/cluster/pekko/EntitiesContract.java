package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorRef;
import io.fibry.ActorStoppedException;
import io.fibry.AskTimeoutException;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.ThrowingFunction;
import io.fibry.cluster.pekko.harness.Cluster;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a program may rely on when it moves from one machine to a cluster. */
@Timeout(180)
abstract class EntitiesContract {

    private static final Duration LONG = Duration.ofSeconds(60);

    /** The events of the entities, in order. */
    private final List<String> events = new CopyOnWriteArrayList<>();

    private final CountDownLatch gate = new CountDownLatch(1);

    /** Creates entities whose type has not been used before. */
    abstract Entities<String, String, String> entities(
            ThrowingFunction<String, EntityBehavior<String, String>> begin, EntityOptions options);

    private Entities<String, String, String> entities() {
        return entities(this::begin, EntityOptions.defaults());
    }

    private EntityBehavior<String, String> begin(String key) {
        events.add(key + " begins");
        return new EntityBehavior<>() {
            private String all = "";

            @Override
            public String handle(String word) throws InterruptedException {
                if (word.equals("fail")) {
                    throw new IllegalArgumentException("a bad word");
                }
                if (word.equals("wait")) {
                    gate.await();
                }
                all += word;
                return all;
            }

            @Override
            public void onEnd() {
                events.add(key + " ends");
            }
        };
    }

    private static Throwable failure(ActorRef<String, String> ref, String word, Duration timeout) {
        return assertThrows(CompletionException.class, ref.ask(word, timeout)::join)
                .getCause();
    }

    @Test
    void messagesOfASenderAreHandledInOrderByOneBehavior() {
        ActorRef<String, String> ref = entities().ref("a");
        ref.tell("1");
        assertTrue(ref.tryTell("2"));
        assertEquals("123", ref.ask("3", LONG).join());
        assertEquals(List.of("a begins"), events);
    }

    @Test
    void eachKeyHasItsOwnBehavior() {
        Entities<String, String, String> entities = entities();
        entities.ref("a").tell("1");
        assertEquals("2", entities.ref("b").ask("2", LONG).join());
        assertEquals("13", entities.ref("a").ask("3", LONG).join());
        assertEquals(2, entities.size());
    }

    @Test
    void anEntityEndsAfterItsMessagesAndTheNextOneBeginsAfterItsEnd() {
        Entities<String, String, String> entities = entities();
        entities.ref("a").tell("1");
        entities.end("a");
        assertEquals("2", entities.ref("a").ask("2", LONG).join());
        assertEquals(List.of("a begins", "a ends", "a begins"), events);
    }

    @Test
    void aFailureFailsTheAskAndKeepsTheState() {
        ActorRef<String, String> ref = entities().ref("a");
        ref.tell("1");
        String text = failure(ref, "fail", LONG).getMessage();
        assertTrue(text.contains("a bad word"), text);
        assertEquals("12", ref.ask("2", LONG).join());
    }

    @Test
    void anAskTimesOut() {
        ActorRef<String, String> ref = entities().ref("a");
        ref.tell("wait");
        assertInstanceOf(AskTimeoutException.class, failure(ref, "1", Duration.ofMillis(50)));
        gate.countDown();
    }

    @Test
    void anAskOfAFullMailboxFails() {
        ActorRef<String, String> ref = entities(
                        this::begin, EntityOptions.defaults().bounded(1, Overflow.FAIL))
                .ref("a");
        assertEquals("1", ref.ask("1", LONG).join());
        var failures = new CopyOnWriteArrayList<Throwable>();
        for (int i = 0; i < 3; i++) { // one is handled, one waits
            CompletableFuture<?> unused = ref.ask("wait", LONG).whenComplete((reply, failure) -> {
                if (failure != null) {
                    failures.add(failure);
                }
            });
        }
        Cluster.until("an ask has failed", () -> !failures.isEmpty());
        assertInstanceOf(MailboxFullException.class, failures.getFirst());
        gate.countDown();
    }

    @Test
    void invalidArgumentsAreRefused() {
        Entities<String, String, String> entities = entities();
        ActorRef<String, String> ref = entities.ref("a");
        assertThrows(NullPointerException.class, () -> entities.ref(null));
        assertThrows(NullPointerException.class, () -> entities.end(null));
        assertThrows(NullPointerException.class, () -> ref.tell(null));
        assertThrows(NullPointerException.class, () -> ref.tryTell(null));
        assertThrows(NullPointerException.class, () -> ref.ask(null, LONG));
        assertThrows(NullPointerException.class, () -> ref.ask("1", null));
        assertThrows(IllegalArgumentException.class, () -> ref.ask("1", Duration.ofSeconds(-1)));
        assertEquals(List.of(), events);
    }

    @Test
    void aCloseEndsAllEntitiesAfterTheirMessages() {
        Entities<String, String, String> entities = entities();
        ActorRef<String, String> ref = entities.ref("a");
        assertEquals("1", ref.ask("1", LONG).join());
        entities.close();
        assertEquals(List.of("a begins", "a ends"), events);
        assertEquals(0, entities.size());
        entities.close();
        entities.end("a");
    }

    @Test
    void closedEntitiesRefuseMessages() {
        Entities<String, String, String> entities = entities();
        ActorRef<String, String> ref = entities.ref("a");
        entities.close();
        assertThrows(ActorStoppedException.class, () -> ref.tell("1"));
        assertThrows(ActorStoppedException.class, () -> ref.tryTell("1"));
        assertInstanceOf(ActorStoppedException.class, failure(ref, "1", LONG));
        assertInstanceOf(ActorStoppedException.class, failure(entities.ref("b"), "1", LONG));
        assertEquals(List.of(), events);
    }
}
