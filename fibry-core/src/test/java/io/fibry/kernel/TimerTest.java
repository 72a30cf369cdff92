package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.ActorTimer;
import io.fibry.HandledMessages;
import io.fibry.Metric;
import io.fibry.ReplyActor;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.InContext;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Timers of actors. No test depends on the time of a tick; where a test needs time to pass, it observes the ticks of
 * another actor or the clock.
 */
class TimerTest extends KernelTest {

    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofDays(100);

    private final List<String> seen = new CopyOnWriteArrayList<>(); // traversed while it grows

    @AllStrategies
    void aMessageArrivesOnceAfterADelay(ThreadStrategy strategy) {
        var actor = recorder(actor(strategy), "begin", context -> context.after(SHORT, "tick"));
        actor.tell("begin");
        awaitSeen("tick", 1);
        awaitTicksOfAClock();
        assertFalse(timersOf(actor));
        actor.close();
        assertEquals(List.of("begin", "tick"), seen);
    }

    @Test
    void theSystemCountsSkippedTicks() {
        var release = new CountDownLatch(1);
        system.actor().<String>newActorFrom(context -> {
            context.every(SHORT, "tick");
            return message -> release.await();
        });
        Await.until("two skipped ticks", () -> skippedTicks() >= 2);
        release.countDown();
    }

    private double skippedTicks() {
        return system.metrics().stream()
                .filter(metric -> metric.name().equals("fibry.ticks.missed"))
                .mapToDouble(Metric::value)
                .sum();
    }

    @AllStrategies
    void aPeriodicMessageArrivesUntilItIsCancelled(ThreadStrategy strategy) {
        var timer = new CompletableFuture<ActorTimer>();
        var actor = recorder(actor(strategy), "begin", context -> {
            var started = context.every(SHORT, "tick");
            timer.complete(started);
        });
        actor.tell("begin");
        awaitSeen("tick", 10);
        Await.value(timer).cancel(); // from outside: a waiting message is not taken back
        Await.value(timer).cancel();
        assertFalse(timersOf(actor));
        Await.value(actor.ask("after the one that waited"));
        int ticks = Collections.frequency(seen, "tick");
        awaitTicksOfAClock();
        actor.close();
        assertEquals(ticks, Collections.frequency(seen, "tick"));
    }

    @AllStrategies
    void cancelFromInsideRemovesAWaitingMessage(ThreadStrategy strategy) {
        for (boolean periodic : new boolean[] {true, false}) {
            var actor = recorder(actor(strategy), "begin", context -> {
                var timer = periodic ? context.every(SHORT, "tick") : context.after(SHORT, "tick");
                awaitTickInMailbox(context);
                timer.cancel();
            });
            actor.tell("begin");
            Await.value(actor.ask("end"));
            assertFalse(timersOf(actor));
            actor.close();
        }
        assertEquals(List.of("begin", "end", "begin", "end"), seen);
    }

    @AllStrategies
    void atMostOneTickWaits(ThreadStrategy strategy) {
        var waiting = new CompletableFuture<Integer>();
        var actor = recorder(actor(strategy), "begin", context -> {
            context.every(SHORT, "tick");
            awaitTickInMailbox(context);
            awaitTicksOfAClock();
            int count = 0;
            for (Envelope e = ActorCell.of(context.self()).newest(); e != null; e = e.next) {
                count++;
            }
            waiting.complete(count);
        });
        actor.tell("begin");
        assertEquals(1, Await.value(waiting));
        awaitSeen("tick", 3); // the actor continues
    }

    @AllStrategies
    void theEndOfTheActorEndsItsTimers(ThreadStrategy strategy) {
        var contexts = new CompletableFuture<ActorContext<String>>();
        var actor = recorder(actor(strategy), "begin", context -> {
            contexts.complete(context);
            context.after(LONG, "never");
            context.every(SHORT, "tick");
        });
        actor.tell("begin");
        awaitSeen("tick", 2);
        assertTrue(timersOf(actor));
        actor.close();
        int ticks = Collections.frequency(seen, "tick");
        assertFalse(timersOf(actor));
        var context = Await.value(contexts);
        assertThrows(ActorStoppedException.class, () -> context.after(SHORT, "late"));
        assertThrows(ActorStoppedException.class, () -> context.every(SHORT, "late"));
        awaitTicksOfAClock();
        assertEquals(ticks, Collections.frequency(seen, "tick"));
        assertEquals(0, Collections.frequency(seen, "late"));
    }

    @AllStrategies
    void aRefusedTickIsTheLast(ThreadStrategy strategy) {
        var actor = recorder(actor(strategy), "begin", context -> {
            context.self().stop();
            context.every(SHORT, "tick");
            Await.until("the timer is cancelled", () -> !timersOf(context.self()));
        });
        assertEquals("begin", Await.value(actor.ask("begin")));
    }

    @AllStrategies
    void aSystemClosesWhileTimersTick(ThreadStrategy strategy) {
        List<Actor<String>> actors = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            actors.add(recorder(actor(strategy), "begin", context -> context.every(SHORT, "tick")));
            actors.getLast().tell("begin");
        }
        actors.add(recorder(actor(strategy), "begin", context -> context.after(LONG, "never")));
        actors.getLast().tell("begin");
        awaitSeen("tick", 10);
        system.close(Duration.ofSeconds(5));
        for (var actor : actors) {
            assertEquals(ActorExit.Reason.NORMAL, Await.end(actor).reason());
            assertFalse(timersOf(actor));
        }
    }

    @AllStrategies(direct = true)
    void aRestartEndsTheTimers(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var generation = new AtomicInteger();
            ReplyActor<String, Integer> actor = actor(strategy)
                    .supervision(Supervision.restart())
                    .newActorWithReturnFrom(context -> {
                        int mine = generation.incrementAndGet();
                        return message -> {
                            switch (message) {
                                case "begin" -> {
                                    context.every(SHORT, "tick");
                                    context.after(LONG, "never");
                                    awaitTickInMailbox(context); // it waits behind the failure
                                    throw new IllegalStateException("thrown on purpose");
                                }
                                case "tick" -> seen.add("tick in " + mine);
                                default -> seen.add(message);
                            }
                            return mine;
                        };
                    });
            actor.tell("begin");
            assertEquals(2, Await.value(actor.ask("after the restart")));
            assertFalse(timersOf(actor));
            awaitTicksOfAClock();
            actor.close();
            assertEquals(List.of("after the restart"), seen);
            assertEquals(1, log.with("ERROR").size(), log::text);
        }
    }

    @Test
    void timersNeedNoThreads() {
        awaitTicksOfAClock(); // the JDK's own thread exists
        int before = ManagementFactory.getThreadMXBean().getThreadCount();
        List<Actor<InContext.Code>> actors = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            var actor = InContext.actor(system.actor());
            actors.add(actor);
            InContext.run(actor, context -> {
                for (int k = 0; k < 10; k++) {
                    context.after(LONG, never -> {});
                    context.every(LONG, never -> {});
                }
            });
        }
        int more = ManagementFactory.getThreadMXBean().getThreadCount() - before;
        assertTrue(more < 20, more + " threads for 2000 timers of 100 actors");
        actors.forEach(Actor::close);
    }

    @AllStrategies(direct = true)
    void aTickCountsOnceEvenIfStashed(ThreadStrategy strategy) {
        Actor<String> actor = actor(strategy).newActorFrom(context -> message -> {
            switch (message) {
                case "begin" -> context.after(SHORT, "tick");
                case "open" -> {
                    seen.add("open");
                    context.unstashAll();
                }
                default -> {
                    seen.add(message);
                    if (!seen.contains("open")) {
                        context.stash();
                    }
                }
            }
        });
        actor.tell("begin");
        awaitSeen("tick", 1);
        actor.tell("open");
        awaitSeen("tick", 2);
        actor.close();
        assertEquals(List.of("tick", "open", "tick"), seen);
        assertEquals(3, Await.end(actor).handled());
        assertEquals(new HandledMessages(2, 1, 0, 0), ActorCell.of(actor).handledBySource());
    }

    @AllStrategies(direct = true)
    void aTickStashedUntilTheEndIsADeadLetter(ThreadStrategy strategy) {
        var dead = new AtomicInteger();
        system.onDeadLetter(letter -> dead.incrementAndGet());
        var stashed = new CountDownLatch(1);
        Actor<String> actor = actor(strategy).newActorFrom(context -> message -> {
            if (message.equals("begin")) {
                context.after(SHORT, "tick");
            } else {
                context.stash();
                stashed.countDown();
            }
        });
        actor.tell("begin");
        Await.latch(stashed);
        actor.close();
        ActorExit exit = Await.end(actor);
        assertEquals(1, exit.handled());
        assertEquals(1, exit.discarded());
        assertEquals(1, dead.get());
    }

    @Test
    void invalidArgumentsAreRefused() {
        InContext.run(InContext.actor(system.actor()), context -> {
            assertThrows(IllegalArgumentException.class, () -> context.every(Duration.ZERO, c -> {}));
            assertThrows(IllegalArgumentException.class, () -> context.every(SHORT.negated(), c -> {}));
            assertThrows(NullPointerException.class, () -> context.after(SHORT, null));
            assertThrows(NullPointerException.class, () -> context.after(null, c -> {}));
            assertThrows(NullPointerException.class, () -> context.every(null, c -> {}));
            assertFalse(timersOf(context.self()));
        });
        var early = new CountDownLatch(1);
        InContext.run(InContext.actor(system.actor()), context -> context.after(Duration.ZERO, c -> early.countDown()));
        Await.latch(early); // due messages are handled at once
    }

    // ---- helpers

    /** An actor that records its messages, replies to them, and starts a timer at one of them. */
    private ReplyActor<String, String> recorder(
            ActorBuilder<Object> builder, String when, Consumer<ActorContext<String>> start) {
        return builder.newActorWithReturnFrom(context -> message -> {
            seen.add(message);
            if (message.equals(when)) {
                start.accept(context);
            }
            return message;
        });
    }

    private void awaitSeen(String message, int times) {
        Await.until(times + " times " + message, () -> Collections.frequency(seen, message) >= times);
    }

    private static void awaitTickInMailbox(ActorContext<?> context) {
        Await.until("a tick waits", () -> ActorCell.of(context.self()).newest() != null);
    }

    /** Waits until timers with the same period have ticked often. */
    private void awaitTicksOfAClock() {
        var ticks = new CountDownLatch(20);
        var clock = InContext.actor(system.actor());
        clock.tell(context -> context.every(SHORT, tick -> ticks.countDown()));
        Await.latch(ticks);
        clock.stop();
    }

    private static boolean timersOf(Actor<?> actor) {
        return ActorCell.of(actor).context().awaitsSomething();
    }
}
