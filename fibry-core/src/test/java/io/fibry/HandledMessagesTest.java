package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.InContext;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Handled messages by source, of systems, actors, exits, dumps and metrics. */
class HandledMessagesTest extends KernelTest {

    private static final Duration SHORT = Duration.ofMillis(1);

    private void assertCounts(HandledMessages wanted) {
        Await.until(
                wanted + ", now " + system.stats(),
                () -> system.stats().handledBySource().equals(wanted));
    }

    private HandledMessages ofActor(String name) {
        return system.actors()
                .filter(actor -> actor.name().equals(name))
                .findFirst()
                .orElseThrow()
                .handledBySource();
    }

    private double metric(String name, Map<String, String> tags) {
        return system.metrics("counted"::equals).stream()
                .filter(metric -> metric.name().equals(name) && metric.tags().equals(tags))
                .findFirst()
                .orElseThrow()
                .value();
    }

    @AllStrategies(direct = true)
    void eachSourceHasItsOwnCount(ThreadStrategy strategy) {
        var target = actor(strategy).newSink(null);
        var actor = InContext.actor(system.actor("counted").strategy(strategy));
        actor.tell(context -> {
            context.watch(target, exit -> {});
            context.pipeToSelf(CompletableFuture.completedFuture(1), (value, failure) -> piped -> {});
            context.after(SHORT, tick -> {});
            context.after(SHORT, tick -> {});
        });
        actor.execute(() -> {});
        target.stop();
        var all = new HandledMessages(2, 2, 1, 1);
        assertCounts(all);
        assertEquals(6, system.stats().handled());
        assertEquals(2, system.stats().sent());
        assertEquals(all, ofActor("counted"));
        assertEquals(6, metric("fibry.messages", Map.of("end", "handled")));
        assertEquals(2, metric("fibry.messages.handled", Map.of("source", "sent")));
        assertEquals(2, metric("fibry.messages.handled", Map.of("source", "timer")));
        assertEquals(1, metric("fibry.messages.handled", Map.of("source", "pipe")));
        assertEquals(1, metric("fibry.messages.handled", Map.of("source", "internal")));
        assertEquals(6, metric("fibry.actor.handled", Map.of("actor", "counted")));
        String text = "6 handled (2 sent, 2 of timers, 1 piped, 1 internal)";
        assertTrue(system.dump().toString().contains("messages: 0 in mailboxes, " + text + ", 0 refused"));
        assertTrue(system.dump().toJson().contains("\"sent\":2,\"timers\":2,\"piped\":1,\"internal\":1}"));
        actor.close();
        assertEquals(6, Await.end(actor).handled());
        assertCounts(all);
    }

    @Test
    void theDumpNamesOnlySourcesThatDiffer() {
        var actor = InContext.actor(system.actor());
        actor.tell(context -> {});
        assertCounts(new HandledMessages(1, 0, 0, 0));
        assertTrue(system.dump().toString().contains(" 1 handled, 0 refused"), system.dump()::toString);
        actor.tell(context -> context.after(SHORT, tick -> {}));
        assertCounts(new HandledMessages(2, 1, 0, 0));
        assertTrue(system.dump().toString().contains(" 3 handled (2 sent, 1 of timers), "), system.dump()::toString);
    }

    @AllStrategies(direct = true)
    void everyTickIsCounted(ThreadStrategy strategy) {
        var ticks = new AtomicLong();
        var actor = InContext.actor(actor(strategy));
        actor.tell(context -> {
            var timer = new CompletableFuture<ActorTimer>();
            timer.complete(context.every(SHORT, tick -> {
                if (ticks.incrementAndGet() == 20) {
                    timer.join().cancel();
                }
            }));
        });
        assertCounts(new HandledMessages(1, 20, 0, 0));
        actor.close();
        assertEquals(21, Await.end(actor).handled());
    }

    /** A new receive timeout replaces the previous one, and its count continues. */
    @AllStrategies(direct = true)
    void receiveTimeoutsAreCounted(ThreadStrategy strategy) {
        var actor = InContext.actor(actor(strategy));
        actor.tell(context -> once(context, () -> once(context, () -> {})));
        assertCounts(new HandledMessages(1, 2, 0, 0));
        actor.close();
        assertEquals(3, Await.end(actor).handled());
    }

    private static void once(ActorContext<InContext.Code> context, Runnable then) {
        var timer = new CompletableFuture<ActorTimer>();
        timer.complete(context.receiveTimeout(SHORT, silence -> {
            timer.join().cancel();
            then.run();
        }));
    }

    @AllStrategies(direct = true)
    void aFailureCountsLikeThatOfASentMessage(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var actor = InContext.actor(system.actor("counted").strategy(strategy));
            actor.tell(context -> context.after(SHORT, tick -> {
                throw new IllegalStateException("thrown on purpose");
            }));
            assertCounts(new HandledMessages(1, 1, 0, 0));
            Await.until("the failure is counted", () -> metric("fibry.failures", Map.of()) == 1);
            assertEquals(1, metric("fibry.actor.failures", Map.of("actor", "counted")));
            actor.close();
            assertEquals(1, Await.end(actor).failed());
            assertEquals(1, log.with("ERROR", "counted").size(), log::text);
        }
    }

    @AllStrategies(direct = true)
    void aCancelledTimerHandlesNothing(ThreadStrategy strategy) {
        var actor = InContext.actor(actor(strategy));
        InContext.run(actor, context -> {
            ActorTimer timer = context.after(Duration.ZERO, tick -> {});
            timer.cancel(); // its tick may be in the mailbox
        });
        actor.close();
        assertEquals(1, Await.end(actor).handled());
        assertCounts(new HandledMessages(1, 0, 0, 0));
    }

    @AllStrategies
    void aSupervisorCountsTheEndsOfItsChildren(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var supervisor = system.actor("guard")
                    .newSupervisor(SupervisorSpec.oneForOne()
                            .child(
                                    "child",
                                    SupervisorSpec.Restart.PERMANENT,
                                    builder -> builder.strategy(strategy).newActor((Object message) -> {
                                        throw new IllegalStateException("thrown on purpose");
                                    })));
            @SuppressWarnings("unchecked")
            var child = (Actor<Object>) supervisor.child("child").orElseThrow();
            child.tell("fail");
            assertCounts(new HandledMessages(1, 0, 0, 1));
            assertEquals(new HandledMessages(0, 0, 0, 1), ofActor("guard"));
            supervisor.close();
            assertEquals(1, log.with("ERROR", "child failed").size(), log::text);
        }
    }
}
