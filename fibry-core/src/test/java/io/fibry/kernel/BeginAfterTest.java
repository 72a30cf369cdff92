package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.Sink;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Actors that wait for the end of another one before they start, and how a sender recognizes a refusal. */
@ExtendWith(NoLeftovers.class)
@Timeout(60)
class BeginAfterTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** The test fails before a part of this time is over. */
    private static final Duration DAY = Duration.ofDays(1);

    private final ActorSystem system = ActorSystem.create();
    private final ConcurrentLinkedQueue<String> events = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        system.close();
    }

    private final Actor<String> parent = system.actor().newActor(message -> {});

    private ActorBuilder<Object> builder(ThreadStrategy strategy) {
        return system.actor().strategy(strategy).childOf(parent);
    }

    @AllStrategies(direct = true)
    void everyKindOfActorBeginsAfterItsPredecessor(ThreadStrategy strategy) {
        Actor<String> first =
                builder(strategy).onStop(exit -> events.add("end")).newActor(message -> events.add("first"));
        ActorBuilder<Object> next = builder(strategy).childOf(new PlaceAfter<>(parent, first));
        Actor<String> plain = next.newActor(message -> events.add("plain"));
        Actor<String> made = next.newActorFrom(context -> message -> events.add("made"));
        ReplyActor<String, Integer> replying = next.newActorWithReturn(String::length);
        Sink<Integer> sink = next.newSink(5);
        Actor<Void> once = next.runOnce(() -> events.add("once"));
        plain.tell("1");
        made.tell("1");
        CompletableFuture<Integer> reply = replying.ask("four");
        CompletableFuture<Integer> state = sink.ask(n -> n);
        first.tell("1");
        plain.stop();
        assertFalse(reply.isDone() || state.isDone());
        first.stop();
        assertEquals(4, reply.join());
        assertEquals(5, state.join());
        once.waitForExit();
        assertTrue(made.close(MINUTE));
        assertTrue(plain.waitForExit(MINUTE));
        List<String> all = List.copyOf(events);
        assertEquals(List.of("first", "end"), all.subList(0, 2));
    }

    @AllStrategies(direct = true)
    void anEndedPredecessorIsNotWaitedFor(ThreadStrategy strategy) {
        Actor<String> first = builder(strategy).newActor(message -> {});
        assertTrue(first.close(MINUTE));
        ReplyActor<String, Integer> next =
                builder(strategy).childOf(new PlaceAfter<>(parent, first)).newActorWithReturn(String::length);
        assertEquals(4, next.ask("four").join());
        assertEquals(4, next.ask("four").join());
    }

    /** A successor that waits is not running: the close does not wait for it before it stops the actors. */
    @AllStrategies
    void theCloseOfTheSystemEndsBoth(ThreadStrategy strategy) {
        Actor<String> first = builder(strategy).newActor(message -> events.add(message));
        Actor<String> second =
                builder(strategy).childOf(new PlaceAfter<>(parent, first)).newActor(message -> events.add(message));
        second.tell("2");
        first.tell("1");
        assertTrue(system.close(DAY));
        assertEquals(List.of("1", "2"), List.copyOf(events));
    }

    /** The end of the predecessor races with messages and with the stop of the successor. */
    @AllStrategies(direct = true)
    void theEndOfThePredecessorIsNotMissed(ThreadStrategy strategy) throws Exception {
        for (int i = 0; i < 300; i++) {
            var handled = new AtomicInteger();
            Actor<Integer> first = builder(strategy).newActor(message -> {});
            Actor<Integer> second = builder(strategy)
                    .childOf(new PlaceAfter<>(parent, first))
                    .newActor(message -> handled.incrementAndGet());
            var stopper = Thread.startVirtualThread(first::stop);
            second.tell(1);
            second.tell(2);
            second.stop();
            assertTrue(second.waitForExit(MINUTE));
            assertEquals(2, handled.get());
            stopper.join();
        }
    }

    @Test
    void onlyASiblingCanBeThePredecessor() {
        Actor<String> child = system.actor().childOf(parent).newActor(message -> {});
        Actor<String> other = system.actor().newActor(message -> {});
        for (Actor<String> below : List.of(parent, child, other)) {
            for (Actor<String> before : List.of(parent, other)) {
                ActorBuilder<Object> builder = system.actor().childOf(new PlaceAfter<>(below, before));
                assertThrows(IllegalArgumentException.class, () -> builder.newSink(1));
            }
        }
        assertThrows(NullPointerException.class, () -> new PlaceAfter<>(parent, null));
        assertTrue(parent.close(MINUTE));
    }

    @Test
    void aRefusalIsDistinguishableFromADiscardedMessage() throws Exception {
        var running = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        ReplyActor<String, Integer> actor = system.actor().newActorWithReturn(message -> {
            running.countDown();
            go.await();
            return 1;
        });
        Actor<String> other = system.actor().newActor(message -> {});
        var replies = new ArrayList<CompletableFuture<Integer>>(List.of(actor.ask("1"), actor.ask("2")));
        assertTrue(running.await(60, TimeUnit.SECONDS));
        actor.stop(StopMode.DISCARD);
        CompletableFuture<Integer> refused = actor.ask("3");
        var discarded =
                assertInstanceOf(ActorStoppedException.class, replies.get(1).exceptionNow());
        assertFalse(discarded.isRefusalOf(actor));
        var refusal = assertInstanceOf(ActorStoppedException.class, refused.exceptionNow());
        assertTrue(refusal.isRefusalOf(actor));
        assertFalse(refusal.isRefusalOf(other));
        assertTrue(
                assertThrows(ActorStoppedException.class, () -> actor.tell("4")).isRefusalOf(actor));
        go.countDown();
    }
}
