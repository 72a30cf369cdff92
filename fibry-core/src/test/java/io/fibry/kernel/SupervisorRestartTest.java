package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.Supervision;
import io.fibry.SupervisorSpec;
import io.fibry.SupervisorSpec.Restart;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.CountingBehavior;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.SupervisedFamily;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Restarts by supervisors with concurrent events: siblings that handle messages, further failures, policies of the
 * children's own.
 */
class SupervisorRestartTest extends KernelTest {

    private static final Duration LONG = Duration.ofDays(1);
    private final RuntimeException failure = new IllegalStateException("meant to fail");

    private static Pause hold(Actor<?> actor) {
        return ActorCell.of(actor).lifecycle().pause();
    }

    @AllStrategies
    void aSiblingFinishesItsMessageAndRestartsBeforeTheNext(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForAll()
                        .child("a", Restart.PERMANENT, LONG, family.lasting("a"))
                        .child("b", Restart.PERMANENT, LONG, family.lasting("b")));
        var b = SupervisedFamily.child(supervisor, "b");
        var gate = new Gate();
        var inWork = b.ask(gate);
        var queued = b.ask("x");
        gate.awaitReached();
        SupervisedFamily.child(supervisor, "a").tell(failure);
        Await.until(
                "b knows that it has to pause",
                () -> ActorCell.of(b).currentRunner().attentionWanted());
        assertEquals(List.of("begin a", "begin b"), family.events);
        gate.open();
        assertEquals(1, Await.value(inWork));
        assertEquals(1, Await.value(queued));
        family.awaitAfterStart(2, supervisor, "begin a", "begin b");
        assertFalse(gate.wasInterrupted());
    }

    /** It does not handle waiting messages with a state that it is about to lose. */
    @AllStrategies
    void aSiblingHandlesOnlyItsCurrentMessageBeforeTheGroupRestarts(ThreadStrategy strategy) {
        for (UnaryOperator<ActorBuilder<Object>> mailbox : mailboxes()) {
            for (boolean inPlace : new boolean[] {true, false}) {
                var family = new SupervisedFamily(strategy);
                var supervisor = system.actor()
                        .newSupervisor(SupervisorSpec.oneForAll()
                                .child("a", Restart.PERMANENT, LONG, family.lasting("a"))
                                .child(
                                        "b",
                                        Restart.PERMANENT,
                                        LONG,
                                        builder -> (inPlace ? family.lasting("b") : family.mortal("b"))
                                                .apply(mailbox.apply(builder))));
                var b = SupervisedFamily.child(supervisor, "b");
                var gate = new Gate();
                var inWork = b.ask(gate);
                gate.awaitReached();
                var handledByTheOldOne = new AtomicInteger();
                for (int i = 0; i < 200; i++) {
                    b.tell((Runnable) () -> handledByTheOldOne.addAndGet(family.begun("b") == 1 ? 1 : 0));
                }
                SupervisedFamily.child(supervisor, "a").tell(failure);
                ActorCell<?> cell = ActorCell.of(b);
                Await.until(
                        "b knows that it has to rest",
                        () -> (hold(b).isWanted() || cell.isClosed())
                                && cell.currentRunner().attentionWanted()); // the last step of a pause and of a stop
                gate.open();
                assertEquals(1, Await.value(inWork));
                family.awaitBegun("b", 2);
                assertEquals(0, handledByTheOldOne.get());
                assertFalse(gate.wasInterrupted());
                if (!inPlace) {
                    assertEquals(200, Await.end(b).discarded());
                }
                supervisor.close();
            }
        }
    }

    @AllStrategies
    void theTimersOfASiblingEndWithItsBehavior(ThreadStrategy strategy) {
        var made = new AtomicInteger();
        var timersLeft = new AtomicBoolean();
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForAll()
                        .child("a", Restart.PERMANENT, new SupervisedFamily(strategy).lasting("a"))
                        .child(
                                "b",
                                Restart.PERMANENT,
                                builder -> builder.strategy(strategy).newActorFrom(context -> {
                                    timersLeft.set(((CellContext<?, ?>) context).awaitsSomething());
                                    context.after(LONG, "never");
                                    made.incrementAndGet();
                                    return message -> {};
                                })));
        SupervisedFamily.child(supervisor, "a").tell(failure);
        Await.until("a second behavior", () -> made.get() == 2);
        assertFalse(timersLeft.get());
    }

    @AllStrategies
    void aSiblingThatTakesTooLongIsInterruptedAndKeepsItsMailbox(ThreadStrategy strategy) {
        for (Duration stopTimeout : List.of(Duration.ZERO, Duration.ofMillis(1))) {
            var family = new SupervisedFamily(strategy);
            var supervisor = system.actor()
                    .newSupervisor(SupervisorSpec.oneForAll()
                            .limit(1, LONG) // the failure by the interrupt does not count
                            .child("a", Restart.PERMANENT, family.lasting("a"))
                            .child("b", Restart.PERMANENT, stopTimeout, family.lasting("b")));
            var b = SupervisedFamily.child(supervisor, "b");
            var gate = new Gate();
            b.tell(gate);
            var queued = b.ask("x");
            gate.awaitReached();
            SupervisedFamily.child(supervisor, "a").tell(failure);
            assertEquals(1, Await.value(queued));
            assertTrue(gate.wasInterrupted());
            family.awaitAfterStart(2, supervisor, "begin a", "begin b");
            supervisor.close();
        }
    }

    /** The first two are immediate. */
    @AllStrategies
    void aSiblingThatIgnoresAnInterruptIsInterruptedAgain(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForAll()
                        .child("a", Restart.PERMANENT, family.lasting("a"))
                        .child("b", Restart.PERMANENT, Duration.ZERO, family.lasting("b")));
        var reached = new CountDownLatch(1);
        var interrupts = new AtomicInteger();
        SupervisedFamily.child(supervisor, "b").execute(() -> {
            reached.countDown();
            while (interrupts.get() < 3) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupts.incrementAndGet();
                }
            }
        });
        Await.latch(reached);
        SupervisedFamily.child(supervisor, "a").tell(failure);
        family.awaitAfterStart(2, supervisor, "begin a", "begin b");
        assertEquals(3, interrupts.get());
    }

    @AllStrategies
    void aFailureOfASiblingThatIsBeingPausedCountsOnce(ThreadStrategy strategy) {
        for (SupervisorSpec spec : List.of(
                SupervisorSpec.oneForAll(),
                SupervisorSpec.oneForAll().backoff(Duration.ofMillis(1), Duration.ofMillis(1)))) {
            var family = new SupervisedFamily(strategy);
            var supervisor = system.actor()
                    .newSupervisor(spec.limit(1, LONG)
                            .child("a", Restart.PERMANENT, LONG, family.lasting("a"))
                            .child("b", Restart.PERMANENT, LONG, family.lasting("b")));
            var b = SupervisedFamily.child(supervisor, "b");
            var gate = new Gate();
            b.execute(() -> {
                gate.pass();
                throw failure;
            });
            gate.awaitReached();
            SupervisedFamily.child(supervisor, "a").tell(failure);
            Await.until("b has to pause", hold(b)::isWanted);
            gate.open();
            family.awaitAfterStart(2, supervisor, "begin a", "begin b");
            assertEquals(1, Await.value(b.ask("x")));
            supervisor.close();
        }
    }

    @AllStrategies
    void aChildThatEndedBeforeThePauseOfTheOthersIsReplaced(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForAll()
                        .child("a", Restart.PERMANENT, family.lasting("a"))
                        .child("b", Restart.PERMANENT, family.lasting("b")));
        var gate = new Gate();
        supervisor.execute(gate::pass); // it is notified of the failure first, and of the end afterwards
        gate.awaitReached();
        var b = SupervisedFamily.child(supervisor, "b");
        SupervisedFamily.child(supervisor, "a").tell(failure);
        ActorStates.awaitPause(SupervisedFamily.child(supervisor, "a"));
        b.stop();
        Await.end(b);
        gate.open();
        family.awaitAfterStart(2, supervisor, "end b", "begin a", "begin b");
        assertNotSame(b, SupervisedFamily.child(supervisor, "b"));
    }

    @AllStrategies
    void aStopEndsTheWaitForASiblingsPause(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForAll()
                        .child("a", Restart.PERMANENT, family.lasting("a"))
                        .child("b", Restart.PERMANENT, LONG, family.lasting("b")));
        var b = SupervisedFamily.child(supervisor, "b");
        var gate = new Gate();
        b.tell(gate);
        gate.awaitReached();
        SupervisedFamily.child(supervisor, "a").tell(failure);
        Await.until("b has to pause", hold(b)::isWanted);
        b.stop(); // by its user: it does not pause, but drains and ends
        var refused = b.ask("y");
        gate.open();
        assertTrue(Await.end(b).isNormal());
        assertTrue(refused.isCompletedExceptionally());
        family.awaitAfterStart(2, supervisor, "end b", "begin a", "begin b");
    }

    // ---- children with policies of their own

    @AllStrategies
    void aChildInItsOwnPauseRestartsInPlaceWithTheOthers(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        Supervision own = Supervision.restart().backoff(LONG, LONG);
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForAll()
                        .child("a", Restart.PERMANENT, family.lasting("a"))
                        .child("b", Restart.PERMANENT, b -> family.lasting("b").apply(b.supervision(own))));
        var b = SupervisedFamily.child(supervisor, "b");
        b.tell(failure);
        ActorStates.awaitPause(b);
        var queued = b.ask("x");
        SupervisedFamily.child(supervisor, "a").tell(failure);
        assertEquals(1, Await.value(queued));
        family.awaitAfterStart(2, supervisor, "begin a", "begin b");
        assertSame(b, SupervisedFamily.child(supervisor, "b"));
    }

    @AllStrategies
    void shortPausesOfAChildDoNotInterfere(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        Supervision own = Supervision.restart().backoff(Duration.ofNanos(1), Duration.ofNanos(1));
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForAll()
                        .limit(1_000, LONG)
                        .child("a", Restart.PERMANENT, family.lasting("a"))
                        .child("b", Restart.PERMANENT, b -> family.lasting("b").apply(b.supervision(own))));
        var a = SupervisedFamily.child(supervisor, "a");
        var b = SupervisedFamily.child(supervisor, "b");
        for (int i = 0; i < 200; i++) {
            b.tell(failure);
            a.tell(failure);
            Await.value(b.ask("x"));
        }
        assertSame(a, SupervisedFamily.child(supervisor, "a"));
        assertSame(b, SupervisedFamily.child(supervisor, "b"));
    }

    @AllStrategies(direct = true)
    void aFactoryFailureInAChildsOwnRestartGoesToTheSupervisor(ThreadStrategy strategy) {
        var made = new AtomicInteger();
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForOne()
                        .child(
                                "a",
                                Restart.PERMANENT,
                                builder -> builder.strategy(strategy)
                                        .supervision(Supervision.restart())
                                        .<Object, Integer>newActorWithReturnFrom(context -> {
                                            int number = made.incrementAndGet();
                                            if (number == 2) {
                                                throw failure;
                                            }
                                            return message -> {
                                                CountingBehavior.act(message);
                                                return number;
                                            };
                                        })));
        var a = SupervisedFamily.child(supervisor, "a");
        a.tell(failure);
        assertEquals(3, Await.value(a.ask("x")));
        assertEquals(3, Await.value(a.ask("x")));
        assertEquals(3, made.get()); // and not started twice
    }

    // ---- a start that fails

    @AllStrategies(direct = true)
    void aFailedStartIsRetriedAndCounted(ThreadStrategy strategy) {
        for (boolean inPlace : new boolean[] {true, false}) {
            var made = new AtomicInteger();
            var supervisor = system.actor()
                    .newSupervisor(SupervisorSpec.oneForOne()
                            .limit(3, LONG)
                            .child(
                                    "a",
                                    Restart.PERMANENT,
                                    builder -> builder.strategy(strategy)
                                            .<Object, Integer>newActorWithReturnFrom(context -> {
                                                int number = made.incrementAndGet();
                                                if (number == 2 || number == 3) {
                                                    throw new IllegalArgumentException("not yet");
                                                }
                                                return message -> {
                                                    CountingBehavior.act(message);
                                                    return number;
                                                };
                                            })));
            var a = SupervisedFamily.child(supervisor, "a");
            if (inPlace) {
                a.tell(failure);
                assertEquals(4, Await.value(a.ask("x")));
                assertSame(a, SupervisedFamily.child(supervisor, "a"));
            } else {
                a.stop();
                Await.until("a fourth behavior", () -> made.get() == 4);
                SupervisedFamily.awaitTurn(supervisor);
                assertEquals(
                        4, Await.value(SupervisedFamily.child(supervisor, "a").ask("x")));
            }
            var last = new IllegalArgumentException("the fourth");
            SupervisedFamily.child(supervisor, "a").tell(last);
            assertSame(last, Await.end(supervisor).cause());
        }
    }

    @Test
    void anOlderRestartDoesNotOvertakeANewerOne() {
        for (boolean tried = false; !tried; ) {
            var family = new SupervisedFamily(ThreadStrategy.virtual());
            var supervisor = system.actor()
                    .newSupervisor(SupervisorSpec.restForOne()
                            .backoff(Duration.ofMillis(200), Duration.ofMillis(400))
                            .child("a", Restart.PERMANENT, family.lasting("a"))
                            .child("b", Restart.PERMANENT, family.lasting("b")));
            var b = SupervisedFamily.child(supervisor, "b");
            b.tell(failure);
            Await.until("b pauses, or its pause is over", () -> hold(b).isPaused() || family.begun("b") > 1);
            SupervisedFamily.awaitTurn(supervisor);
            var a = SupervisedFamily.child(supervisor, "a");
            a.tell(failure);
            Await.until("a pauses, or its pause is over", () -> hold(a).isPaused() || family.begun("a") > 1);
            SupervisedFamily.awaitTurn(supervisor);
            tried = family.begun("b") == 1; // otherwise the first pause would be over before the second restart
            if (tried) {
                family.awaitAfterStart(2, supervisor, "begin a", "begin b");
            }
            supervisor.close();
        }
    }
}
