package io.fibry.entity;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorRef;
import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.testing.AllStrategies;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The contract of {@link ActorRef}, for a replying actor and for an entity. */
class ActorRefTest extends EntitiesCase {

    /** A reference, and an action that permanently stops its target. */
    private record Subject(ActorRef<String, String> ref, Actor<?> owner) {}

    private volatile CountDownLatch go = new CountDownLatch(1);

    /** Both with room for this number of messages, or without a limit if it is 0. */
    private List<Subject> subjects(
            ThreadStrategy strategy, int capacity, ThrowingFunction<String, @Nullable String> behavior) {
        var builder = system.actor("actor").strategy(strategy);
        ReplyActor<String, String> actor =
                (capacity == 0 ? builder : builder.bounded(capacity, Overflow.FAIL)).newActorWithReturn(behavior);
        LocalEntities<String, String, String> entities = start(
                strategy, key -> behavior::apply, capacity == 0 ? ALWAYS : ALWAYS.bounded(capacity, Overflow.FAIL));
        return List.of(new Subject(actor, actor), new Subject(entities.ref("a"), entities));
    }

    private String handle(String message) throws Exception {
        switch (message) {
            case "fail" -> throw new IOException("on purpose");
            case "wait" -> {
                events.add("waits");
                go.await();
            }
            default -> events.add(message);
        }
        return message + "!";
    }

    @AllStrategies(direct = true)
    void aReferenceSendsInOrderAndReturnsReplies(ThreadStrategy strategy) {
        for (Subject subject : subjects(strategy, 0, this::handle)) {
            ActorRef<String, String> ref = subject.ref;
            ref.tell("1");
            assertTrue(ref.tryTell("2"));
            assertEquals("3!", ref.ask("3", MINUTE).join());
            assertEquals(List.of("1", "2", "3"), List.copyOf(events));
            var e = assertThrows(
                    CompletionException.class, () -> ref.ask("fail", MINUTE).join());
            assertInstanceOf(IOException.class, e.getCause());
            assertTrue(List.of("actor", "carts/a").contains(ref.name()), ref::name);
            events.clear();
        }
    }

    @AllStrategies
    void aFullMailboxRefuses(ThreadStrategy strategy) {
        for (Subject subject : subjects(strategy, 1, this::handle)) {
            ActorRef<String, String> ref = subject.ref;
            ref.tell("wait");
            await().until(() -> events.contains("waits"));
            assertTrue(ref.tryTell("1"));
            assertFalse(ref.tryTell("2"));
            assertThrows(MailboxFullException.class, () -> ref.tell("3"));
            assertInstanceOf(MailboxFullException.class, ref.ask("4", MINUTE).exceptionNow());
            go.countDown();
            assertTrue(subject.owner.close(MINUTE));
            assertEquals(List.of("waits", "1"), List.copyOf(events));
            events.clear();
            go = new CountDownLatch(1);
        }
    }

    /** Whether its message has started or not. */
    @AllStrategies
    void anAskCanTimeOut(ThreadStrategy strategy) {
        for (Subject subject : subjects(strategy, 1, this::handle)) {
            CompletableFuture<String> late = subject.ref.ask("wait", Duration.ofMillis(1));
            var e = assertThrows(CompletionException.class, late::join);
            var cause = assertInstanceOf(TimeoutException.class, e.getCause());
            assertTrue(cause.getMessage().contains("PT0.001S"), cause::getMessage);
            go.countDown();
            assertTrue(subject.owner.close(MINUTE));
            go = new CountDownLatch(1);
        }
    }

    @AllStrategies(direct = true)
    void anAskRefusesANegativeTimeout(ThreadStrategy strategy) {
        for (Subject subject : subjects(strategy, 0, this::handle)) {
            Duration negative = Duration.ofMillis(-1);
            assertThrows(IllegalArgumentException.class, () -> subject.ref.ask("1", negative));
            assertTrue(subject.owner.close(MINUTE));
            assertThrows(IllegalArgumentException.class, () -> subject.ref.ask("1", negative));
        }
    }

    /** An actor would refuse all but the first. */
    @AllStrategies(direct = true)
    void aReferenceOutlivesItsEntities(ThreadStrategy strategy) {
        LocalEntities<String, Integer, Integer> counts = start(strategy, Count::new, ALWAYS);
        ActorRef<Integer, Integer> ref = counts.ref("a");
        assertEquals(0, counts.size());
        ref.tell(1);
        counts.end("a");
        assertTrue(ref.tryTell(2));
        counts.end("a");
        assertEquals(3, ref.ask(ANY, MINUTE).join());
        assertTrue(counts.close(MINUTE));
        assertEquals(Map.of("a", 3), saved);
        assertEquals(List.of("begin a", "end a", "begin a", "end a", "begin a", "end a"), List.copyOf(events));
    }

    @AllStrategies(direct = true)
    void afterTheEndEachMessageIsRefused(ThreadStrategy strategy) {
        for (Subject subject : subjects(strategy, 0, this::handle)) {
            ActorRef<String, String> ref = subject.ref;
            ref.tell("1");
            assertTrue(subject.owner.close(MINUTE));
            assertThrows(ActorStoppedException.class, () -> ref.tell("2"));
            assertThrows(ActorStoppedException.class, () -> ref.tryTell("2"));
            assertInstanceOf(ActorStoppedException.class, ref.ask("2", MINUTE).exceptionNow());
        }
        assertEquals(List.of("1", "1"), List.copyOf(events));
    }
}
