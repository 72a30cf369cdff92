package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** A draining actor accepts its own messages, both after its own stop and during the close of its system. */
class OwnMessageTest extends KernelTest {

    private static final Duration TIME = Duration.ofSeconds(20);

    private final List<Object> seen = new CopyOnWriteArrayList<>();

    /** Counts down by messages to itself. */
    private Actor<Integer> countdown(ActorBuilder<Object> builder) {
        return builder.onStop(exit -> seen.add("end")).newActorFrom(context -> n -> {
            seen.add(n);
            if (n > 0) {
                context.self().tell(n - 1);
            }
        });
    }

    private static List<Object> expected(int first) {
        List<Object> numbers = new ArrayList<>();
        for (int n = first; n >= 0; n--) {
            numbers.add(n);
        }
        numbers.add("end");
        return numbers;
    }

    @AllStrategies(direct = true)
    void workThatProceedsByOwnMessagesIsFinished(ThreadStrategy strategy) {
        for (UnaryOperator<ActorBuilder<Object>> mailbox : mailboxes()) {
            seen.clear();
            Gate gate = new Gate();
            Actor<Integer> actor = countdown(mailbox.apply(actor(strategy)));
            CompletableFuture<Void> blocked =
                    CompletableFuture.runAsync(() -> actor.execute(gate::pass), Thread::startVirtualThread);
            gate.awaitReached();
            CompletableFuture<Void> told =
                    CompletableFuture.runAsync(() -> actor.tell(200), Thread::startVirtualThread);
            Await.value(told);
            actor.stop();
            gate.open();
            Await.value(blocked);
            assertTrue(Await.end(actor).isNormal());
            assertEquals(expected(200), seen);
        }
    }

    @AllStrategies(direct = true)
    void theCloseOfASystemFinishesSuchWorkToo(ThreadStrategy strategy) {
        Actor<Integer> actor = countdown(actor(strategy));
        actor.tell(2_000);
        assertTrue(system.close(TIME));
        assertEquals(expected(2_000), seen);
    }

    @AllStrategies(direct = true)
    void aDrainingActorCanAskItselfAndSendGroupsAndTasks(ThreadStrategy strategy) {
        ReplyActor<String, String> actor = actor(strategy).newActorWithReturnFrom(context -> message -> {
            seen.add(message);
            if (message.equals("first")) {
                context.self().stop();
                context.self().tellAll(List.of("one", "two"));
                var unused = context.self().ask("asked").thenAccept(seen::add);
                context.self().execute(() -> seen.add("task"));
                assertTrue(context.self().tryTell("tried"));
            }
            return "reply to " + message;
        });
        actor.tell("first");
        Await.end(actor);
        assertEquals(List.of("first", "one", "two", "asked", "reply to asked", "task", "tried"), seen);
        assertEquals(6, Await.end(actor).handled());
    }

    /** It has handled its last message then, and would never handle another one. */
    @AllStrategies(direct = true)
    void itsStopHookIsRefused(ThreadStrategy strategy) {
        var self = new CompletableFuture<Actor<Integer>>();
        Actor<Integer> actor = actor(strategy)
                .onStop(exit -> {
                    assertThrows(
                            ActorStoppedException.class, () -> Await.value(self).tell(1));
                    seen.add("end");
                })
                .newActor(n -> seen.add(n));
        self.complete(actor);
        actor.tell(0);
        actor.stop();
        Await.end(actor);
        assertEquals(List.of(0, "end"), seen);
    }

    @AllStrategies(direct = true)
    void aDiscardingActorIsRefused(ThreadStrategy strategy) {
        var refused = new CompletableFuture<Boolean>();
        Actor<Integer> actor = actor(strategy).newActorFrom(context -> n -> {
            context.self().stop();
            context.self().tell(1);
            context.self().stop(StopMode.DISCARD);
            assertThrows(ActorStoppedException.class, () -> context.self().tell(2));
            refused.complete(true);
        });
        actor.tell(0);
        Await.value(refused);
        assertEquals(1, Await.end(actor).discarded()); // the one that it has accepted
    }

    /** Code that runs on its stack while it waits for a reply is another sender. */
    @AllStrategies
    void anActorThatItAsksIsRefused(ThreadStrategy strategy) {
        var self = new CompletableFuture<Actor<Integer>>();
        ReplyActor<Integer, Boolean> other = system.actor().newActorWithReturn(n -> {
            assertThrows(ActorStoppedException.class, () -> Await.value(self).tell(n));
            return true;
        });
        Actor<Integer> actor = actor(strategy).newActorFrom(context -> n -> {
            context.self().stop();
            seen.add(other.call(n));
        });
        self.complete(actor);
        actor.tell(0);
        Await.end(actor);
        assertEquals(List.of(true), seen);
    }

    /** Endless work ends at the deadline. */
    @AllStrategies(direct = true)
    void aDeadlineEndsEndlessWork(ThreadStrategy strategy) {
        Actor<Integer> actor =
                actor(strategy).newActorFrom(context -> n -> context.self().tell(n));
        var told = CompletableFuture.runAsync(() -> actor.tell(0), Thread::startVirtualThread);
        boolean unused = actor.close(Duration.ofMillis(20)); // forces the stop
        assertTrue(actor.close(Await.LIMIT));
        told.handle((v, failure) -> failure).join();
        assertTrue(Collections.disjoint(seen, List.of("end")));
    }
}
