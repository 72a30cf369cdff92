package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ActorTimer;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * A one-shot timer is pending work: a drain waits for its message, and any other end makes the message a dead letter.
 */
class PendingTimerTest extends KernelTest {

    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration SOON = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofDays(1);
    private static final Duration TIME = Duration.ofSeconds(20);

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final List<String> dead = new CopyOnWriteArrayList<>();

    PendingTimerTest() {
        system.onDeadLetter(letter -> dead.add(letter.message() + " " + letter.reason()));
    }

    /** Starts timers at its first message, and records the others. */
    private Actor<String> starts(ActorBuilder<Object> builder, Starter starter) {
        Actor<String> actor = builder.onStop(exit -> seen.add("end")).newActorFrom(context -> message -> {
            if (message.equals("start")) {
                starter.start(context);
            } else {
                seen.add(message);
            }
        });
        var started = new CompletableFuture<Boolean>();
        actor.tell("start");
        actor.execute(() -> started.complete(true));
        Await.value(started);
        return actor;
    }

    private interface Starter {
        void start(ActorContext<String> context);
    }

    @AllStrategies(direct = true)
    void aDrainWaitsForItsMessage(ThreadStrategy strategy) {
        for (UnaryOperator<ActorBuilder<Object>> mailbox : mailboxes()) {
            seen.clear();
            var actor = starts(mailbox.apply(actor(strategy)), context -> context.after(SOON, "tick"));
            actor.stop();
            assertTrue(Await.end(actor).isNormal());
            assertEquals(List.of("tick", "end"), seen);
        }
        assertEquals(List.of(), dead);
        assertEquals(0, system.stats().dead());
    }

    @AllStrategies(direct = true)
    void aTimerStartedDuringADrainIsPending(ThreadStrategy strategy) {
        var attempts = new AtomicInteger();
        Actor<String> actor = actor(strategy).onStop(exit -> seen.add("end")).newActorFrom(context -> order -> {
            if (attempts.incrementAndGet() < 5) {
                context.after(SHORT, order);
            } else {
                seen.add(order);
            }
        });
        actor.tell("order");
        assertTrue(actor.close(TIME));
        assertEquals(List.of("order", "end"), seen);
    }

    /** The system retains the actors that a retry needs. */
    @AllStrategies(direct = true)
    void theCloseOfASystemWaitsForRetriesAndTheirActors(ThreadStrategy strategy) {
        var attempts = new AtomicInteger();
        ReplyActor<String, Boolean> cashier = actor(strategy)
                .onStop(exit -> seen.add("cashier ends"))
                .newActorWithReturn(order -> attempts.incrementAndGet() > 4);
        var parent = system.actor("parent").strategy(strategy).newSink(null);
        Actor<Object> orders = actor(strategy).childOf(parent).newActorFrom(context -> message -> {
            if (message instanceof String order) {
                context.pipeToSelf(cashier.ask(order), (paid, failure) -> List.of(order, paid));
            } else if (message instanceof List<?> result) {
                if (result.getLast().equals(true)) {
                    seen.add("paid");
                } else {
                    context.after(SOON, result.getFirst());
                }
            }
        });
        orders.tell("order");
        assertTrue(system.close(TIME));
        assertEquals(List.of("paid", "cashier ends"), seen);
        assertEquals(List.of(), dead);
    }

    @AllStrategies(direct = true)
    void aHarderStopMakesEachADeadLetterOnce(ThreadStrategy strategy) {
        for (StopMode mode : List.of(StopMode.DISCARD, StopMode.INTERRUPT)) {
            dead.clear();
            seen.clear();
            long before = system.stats().dead();
            var actor = starts(actor(strategy), context -> {
                context.after(LONG, "one");
                context.after(LONG, "two");
                context.after(LONG, "cancelled").cancel();
                context.after(LONG, "timeout").cancelOnStop();
                context.every(LONG, "every");
                context.receiveTimeout(LONG, "idle");
            });
            actor.stop();
            assertFalse(actor.exit().isDone()); // it waits
            actor.stop(mode);
            assertEquals(2, Await.end(actor).discarded());
            assertEquals(List.of("one STOPPED", "two STOPPED"), dead);
            assertEquals(before + 2, system.stats().dead());
            assertEquals(List.of("end"), seen);
        }
    }

    /** At the moment of the stop, the message is in the mailbox, or in the replacement of the drained mailbox. */
    @AllStrategies
    void anArrivedMessageIsADeadLetterOnce(ThreadStrategy strategy) {
        for (boolean drainsBefore : new boolean[] {false, true}) {
            dead.clear();
            var gate = new Gate();
            Actor<String> actor = actor(strategy).newActorFrom(context -> message -> {
                if (drainsBefore) {
                    context.self().stop();
                }
                context.after(SHORT, "tick");
                gate.pass();
            });
            actor.tell("start");
            gate.awaitReached();
            ActorCell<?> cell = ActorCell.of(actor);
            Await.until("the tick has come", () -> drainsBefore ? hasLateMessage(cell) : cell.newest() != null);
            actor.stop(StopMode.DISCARD);
            gate.open();
            Await.end(actor);
            assertEquals(List.of("tick STOPPED"), dead);
        }
    }

    private static boolean hasLateMessage(ActorCell<?> actor) {
        ChildMessages messages = actor.lifecycle().childMessagesIfAny();
        var any = new AtomicInteger();
        actor.lifecycle().lock();
        try {
            if (messages != null) {
                messages.forEach(e -> any.incrementAndGet());
            }
        } finally {
            actor.lifecycle().unlock();
        }
        return any.get() > 0;
    }

    @AllStrategies(direct = true)
    void aFailureOrARestartMakesTheMessageADeadLetter(ThreadStrategy strategy) {
        for (Supervision supervision : List.of(Supervision.stop(), Supervision.restart())) {
            dead.clear();
            boolean restarts = supervision == Supervision.restart();
            ReplyActor<String, String> actor = actor(strategy)
                    .supervision(supervision)
                    .newActorWithReturnFrom(context -> message -> {
                        if (message.equals("fail")) {
                            context.after(LONG, "tick");
                            context.after(LONG, "timeout").cancelOnStop();
                            throw new IllegalStateException("thrown on purpose");
                        }
                        return message;
                    });
            Await.failure(actor.ask("fail"));
            if (restarts) {
                assertEquals("next", Await.value(actor.ask("next")));
                actor.stop();
            }
            assertEquals(1, Await.end(actor).discarded());
            assertEquals(List.of(restarts ? "tick RESTARTED" : "tick FAILED"), dead);
        }
    }

    @AllStrategies(direct = true)
    void aDrainCancelsOtherTimersWithoutDeadLetters(ThreadStrategy strategy) {
        var actor = starts(actor(strategy), context -> {
            context.after(LONG, "timeout").cancelOnStop();
            context.receiveTimeout(LONG, "idle").cancelOnStop();
            context.every(SHORT, "tick").cancelOnStop();
        });
        Await.until("it ticks", () -> seen.contains("tick"));
        actor.stop();
        Await.end(actor);
        assertEquals(List.of(), dead);
        assertEquals(1, seen.stream().filter("end"::equals).count());
    }

    @AllStrategies
    void theLastTimerThatIsCancelledEndsADrain(ThreadStrategy strategy) {
        List<Consumer<ActorTimer>> ends = List.of(ActorTimer::cancel, ActorTimer::cancelOnStop);
        for (Consumer<ActorTimer> end : ends) {
            var timers = new CopyOnWriteArrayList<ActorTimer>();
            var actor = starts(actor(strategy), context -> {
                timers.add(context.after(LONG, "one"));
                timers.add(context.after(LONG, "two"));
            });
            actor.stop();
            end.accept(timers.getFirst());
            assertFalse(actor.exit().isDone());
            end.accept(timers.getLast());
            assertTrue(Await.end(actor).isNormal());
        }
        assertEquals(List.of(), dead);
    }

    @AllStrategies(direct = true)
    void aReceiveTimeoutStartedDuringADrainIsCancelledAtOnce(ThreadStrategy strategy) {
        Actor<String> actor = actor(strategy).newActorFrom(context -> message -> {
            context.self().stop();
            context.after(LONG, "timeout").cancelOnStop();
        });
        actor.tell("start");
        assertTrue(Await.end(actor).isNormal());
        assertEquals(List.of(), dead);
    }

    /** A message due after the deadline would be late, so the actor does not wait for the deadline. */
    @AllStrategies(direct = true)
    void aMessageDueAfterTheDeadlineIsADeadLetterAtOnce(ThreadStrategy strategy) {
        var byClose = starts(actor(strategy), context -> context.after(LONG, "close"));
        assertTrue(byClose.close(LONG.dividedBy(2)));
        var byStop = starts(actor(strategy), context -> context.after(LONG, "stop"));
        assertTrue(Await.value(byStop.stop(LONG.dividedBy(2))).isNormal());
        var parent = system.actor("parent").newSink(null);
        var child = starts(actor(strategy).childOf(parent), context -> context.after(LONG, "system"));
        var closed = CompletableFuture.supplyAsync(() -> system.close(LONG.dividedBy(2)), Thread::startVirtualThread);
        assertTrue(Await.value(closed));
        assertTrue(Await.end(child).isNormal());
        assertEquals(List.of("close STOPPED", "stop STOPPED", "system STOPPED"), dead);
    }

    @AllStrategies(direct = true)
    void aTimerStartedDuringADrainAndDueAfterItsDeadlineIsNotPending(ThreadStrategy strategy) {
        Actor<String> actor = actor(strategy).newActorFrom(context -> message -> {
            if (message.equals("first")) {
                var unused = context.self().stop(LONG.dividedBy(2));
                context.after(LONG, "late");
                context.after(SHORT, "in time");
            }
            seen.add(message);
        });
        actor.tell("first");
        assertTrue(Await.end(actor).isNormal());
        assertEquals(List.of("first", "in time"), seen);
        assertEquals(List.of("late STOPPED"), dead);
    }

    /** A child that existed at the stop creates another one during the drain, which starts the timer. */
    @AllStrategies(direct = true)
    void theDeadlineOfADrainAppliesToTimersOfNewDescendants(ThreadStrategy strategy) {
        var gate = new Gate();
        var parent = actor(strategy).newSink(null);
        Actor<String> child = actor(strategy).childOf(parent).newActorFrom(context -> message -> {
            gate.pass();
            Actor<String> made = context.spawn().strategy(strategy).newActorFrom(own -> order -> {
                own.after(LONG, order);
            });
            made.tell("late");
        });
        Thread.startVirtualThread(() -> child.tell("start")); // it may run the handler
        gate.awaitReached();
        var end = parent.stop(LONG.dividedBy(2));
        gate.open();
        assertTrue(Await.value(end).isNormal());
        assertEquals(List.of("late STOPPED"), dead);
    }

    @AllStrategies(direct = true)
    void aTimerStartedDuringTheCloseOfItsSystemAndDueAfterItsDeadlineIsNotPending(ThreadStrategy strategy) {
        var gate = new Gate();
        Actor<String> actor = actor(strategy).onStop(exit -> seen.add("end")).newActorFrom(context -> message -> {
            gate.pass();
            context.after(LONG, message);
        });
        Thread.startVirtualThread(() -> actor.tell("late")); // it may run the handler
        gate.awaitReached();
        var closed = CompletableFuture.supplyAsync(() -> system.close(LONG.dividedBy(2)), Thread::startVirtualThread);
        Await.until("the deadline is set", () -> ActorCell.of(actor).registry().drainDeadline != null);
        gate.open();
        assertTrue(Await.value(closed));
        assertEquals(List.of("late STOPPED"), dead);
    }

    @AllStrategies(direct = true)
    void atTheDeadlineAPendingMessageIsADeadLetter(ThreadStrategy strategy) {
        var actor = starts(actor(strategy), context -> context.after(LONG, "tick"));
        boolean unused = actor.close(Duration.ZERO); // forces the stop
        assertTrue(actor.close(Await.LIMIT));
        assertEquals(List.of("tick STOPPED"), dead);
    }

    /** The child's timer is pending, and may need its parent. */
    @AllStrategies(direct = true)
    void aDrainingParentWaitsForTheTimersOfItsChildren(ThreadStrategy strategy) {
        var parent = starts(actor(strategy), context -> {});
        var started = new CountDownLatch(1);
        Actor<String> child = actor(strategy).childOf(parent).newActorFrom(context -> message -> {
            if (message.equals("start")) {
                context.after(SOON, "tick");
                started.countDown();
            } else {
                parent.tell("from the child");
            }
        });
        child.tell("start");
        Await.latch(started);
        parent.stop();
        assertTrue(Await.end(parent).isNormal());
        assertEquals(List.of("from the child", "end"), seen);
    }

    @Test
    void manyTimersAndStopsRace() {
        for (int i = 0; i < 300; i++) {
            dead.clear();
            seen.clear();
            var actor = starts(system.actor(), context -> {
                for (int k = 0; k < 4; k++) {
                    context.after(Duration.ofNanos(k * 100_000L), "tick " + k);
                }
            });
            actor.stop();
            if (i % 3 == 1) {
                actor.stop(StopMode.DISCARD);
            }
            Await.end(actor);
            assertEquals(4, seen.size() - 1 + dead.size(), () -> "handled " + seen + ", dead " + dead);
        }
    }
}
