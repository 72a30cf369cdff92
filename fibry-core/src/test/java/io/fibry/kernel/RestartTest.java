package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingConsumer;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.CountingBehavior;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.UninterruptibleGate;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The effect of a restart on the parts of an actor: timers, children, stash, factory, name. */
class RestartTest extends KernelTest {

    private final RuntimeException failure = new IllegalStateException("meant to fail");

    private final CountingBehavior counting = new CountingBehavior();

    /** Not on the calling thread: the timers' thread could run the handler, which waits for a timer. */
    @AllStrategies
    void timersAreCancelledBeforeTheNewBehaviorIsMade(ThreadStrategy strategy) {
        var timersLeft = new AtomicBoolean();
        var actor = actor(strategy).supervision(Supervision.restart()).<Object, Integer>newActorWithReturnFrom(c -> {
            var context = (CellContext<?, ?>) c;
            timersLeft.set(context.awaitsSomething());
            int number = counting.begin();
            if (number == 1) {
                c.every(Duration.ofMillis(1), "tick");
                c.after(Duration.ofDays(1), "tick");
            }
            return message -> {
                counting.events.add(number + " " + message);
                if (message.equals("fail")) {
                    // A tick waits already: it belongs to the old behavior and must not reach the new one.
                    Await.until("a tick waits", () -> somethingWaitsBehind(message, (ActorCell<?>) c.self()));
                    throw failure;
                }
                return number;
            };
        });
        assertSame(failure, Await.failure(actor.ask("fail")));
        assertEquals(2, Await.value(actor.ask("a")));
        assertEquals(2, Await.value(actor.ask("b")));
        assertFalse(timersLeft.get());
        assertFalse(counting.events.contains("2 tick"), counting.events::toString);
    }

    @SuppressWarnings("ReferenceEquality") // the identical message
    private static boolean somethingWaitsBehind(Object running, ActorCell<?> actor) {
        Envelope e = actor.inHand();
        while (e != null && e.message != running) {
            e = e.next;
        }
        return actor.newest() != null || (e != null && e.next != null);
    }

    @AllStrategies(direct = true)
    void childrenHaveEndedBeforeTheNewBehaviorIsMade(ThreadStrategy strategy) {
        var gate = new UninterruptibleGate(); // after a while, the restart interrupts the child
        var child = new AtomicReference<Actor<Object>>();
        var childHadEnded = new AtomicBoolean();
        var actor = actor(strategy)
                .supervision(Supervision.restart())
                .<Object, Integer>newActorWithReturnFrom(context -> {
                    int number = counting.begin();
                    if (number == 1) {
                        child.set(context.spawn().newActor((Object message) -> CountingBehavior.act(message)));
                    } else {
                        childHadEnded.set(child.get().exit().isDone());
                    }
                    return message -> {
                        CountingBehavior.act(message);
                        return number;
                    };
                });
        child.get().tell((Runnable) gate::pass);
        child.get().tell("discarded");
        gate.awaitReached();
        actor.tell(failure);
        var answer = actor.ask("a");
        ActorStates.awaitStopped(child.get(), StopMode.DISCARD);
        assertFalse(answer.isDone());
        gate.open();
        assertEquals(2, Await.value(answer));
        assertTrue(childHadEnded.get());
        assertEquals(1, Await.end(child.get()).discarded());
    }

    @AllStrategies
    void aChildMadeWhileTheOthersEndAlsoEnds(ThreadStrategy strategy) {
        // An interrupt, which is sent after a while, might end another child before the new one is made.
        var uninterruptible = new UninterruptibleGate();
        var parent = counting.actor(actor(strategy).supervision(Supervision.restart()));
        Actor<String> old = system.actor().childOf(parent).newActor((String message) -> uninterruptible.pass());
        old.tell("stand");
        uninterruptible.awaitReached();
        parent.tell(failure);
        ActorStates.awaitStopped(old, StopMode.DISCARD);
        var made = system.actor().childOf(parent).newActorWithReturn((Object message) -> message);
        uninterruptible.open();
        assertEquals(1, Await.value(parent.ask("a")));
        assertTrue(made.exit().isDone());
    }

    @Test
    void aChildThatWaitsForAReplyOfItsParentDoesNotPreventTheRestart() {
        var gate = new Gate();
        var parent = counting.actor(system.actor().supervision(Supervision.restart()));
        parent.execute(() -> {
            gate.pass();
            throw failure;
        });
        Actor<String> child = system.actor().childOf(parent).newActor((String question) -> {
            Await.value(parent.ask(question)); // its reply would come after the restart, for which the parent waits
        });
        gate.awaitReached();
        child.tell("a");
        Await.until("the question waits", () -> ActorCell.of(parent).newest() != null);
        gate.open();
        assertEquals(2, Await.value(parent.ask("b")));
        assertEquals(List.of("begin 1", "begin 2", "2 a", "2 b"), counting.events);
        Await.end(child);
    }

    @AllStrategies
    void stashedMessagesAreHandledFirst(ThreadStrategy strategy) {
        var gate = new Gate();
        ReplyActor<Object, Integer> actor = actor(strategy)
                .supervision(Supervision.restart())
                .newActorWithReturnFrom(context -> {
                    int number = counting.begin();
                    return message -> {
                        CountingBehavior.act(message);
                        if (number == 1 && message instanceof String) {
                            context.stash();
                        } else {
                            counting.events.add(number + " " + message);
                        }
                        return number;
                    };
                });
        actor.tell("a");
        var asked = actor.ask("b");
        actor.execute(gate::pass);
        gate.awaitReached();
        actor.tell(failure);
        var last = actor.ask("c");
        gate.open();
        assertEquals(2, Await.value(asked));
        assertEquals(2, Await.value(last));
        assertEquals(List.of("begin 1", "begin 2", "2 a", "2 b", "2 c"), counting.events);
    }

    @AllStrategies(direct = true)
    void aReplacedBehaviorLastsUntilTheRestart(ThreadStrategy strategy) {
        ReplyActor<Object, String> actor = actor(strategy)
                .supervision(Supervision.restart())
                .newActorWithReturnFrom(context -> message -> {
                    context.becomeWithReturn(next -> {
                        CountingBehavior.act(next);
                        return "other";
                    });
                    return "first";
                });
        assertEquals("first", Await.value(actor.ask("a")));
        assertEquals("other", Await.value(actor.ask("b")));
        Await.failure(actor.ask(failure));
        assertEquals("first", Await.value(actor.ask("c")));
    }

    @AllStrategies
    void aFactoryThatFailsEndsTheActorIfThereIsNoPause(ThreadStrategy strategy) {
        var gate = new Gate();
        var broken = new IllegalArgumentException("no more behaviors");
        var actor = counting(strategy, Supervision.restart(), number -> number == 1 ? null : broken);
        actor.tell(gate);
        gate.awaitReached();
        actor.tell(failure);
        var queued = actor.ask("a");
        gate.open();
        assertSame(broken, Await.end(actor).cause());
        assertInstanceOf(ActorStoppedException.class, Await.failure(queued));
        assertEquals(2, counting.made());
    }

    @AllStrategies(direct = true)
    void aFactoryThatFailsIsTriedAgainAfterThePause(ThreadStrategy strategy) {
        Supervision policy = Supervision.restart().backoff(Duration.ofNanos(1), Duration.ofMillis(1));
        var actor = counting(strategy, policy, number -> number == 1 || number == 5 ? null : failure);
        Await.failure(actor.ask(failure));
        assertEquals(5, Await.value(actor.ask("a")));
        assertEquals(5, Await.value(actor.ask("b")));
    }

    @AllStrategies(direct = true)
    void theTriesCountForTheLimit(ThreadStrategy strategy) {
        Supervision policy =
                Supervision.restart().limit(3, Duration.ofDays(1)).backoff(Duration.ofNanos(1), Duration.ofMillis(1));
        var broken = new IllegalArgumentException("no more behaviors");
        var actor = counting(strategy, policy, number -> number == 1 ? null : broken);
        actor.tell(failure);
        assertSame(broken, Await.end(actor).cause());
        assertEquals(4, counting.made());
    }

    /** An actor that replies with the number of its behavior; the construction of some of them fails. */
    private ReplyActor<Object, Integer> counting(
            ThreadStrategy strategy, Supervision policy, Function<Integer, RuntimeException> failing) {
        return actor(strategy).supervision(policy).newActorWithReturnFrom(context -> {
            int number = counting.begin();
            RuntimeException thrown = failing.apply(number);
            if (thrown != null) {
                throw thrown;
            }
            return message -> {
                CountingBehavior.act(message);
                return number;
            };
        });
    }

    @AllStrategies(direct = true)
    void aFailureOfTheFirstFactoryCallIsThrownToTheCallerForEachPolicy(ThreadStrategy strategy) {
        var hooks = new AtomicBoolean();
        for (Supervision policy : List.of(Supervision.restart(), Supervision.resume(), Supervision.escalate())) {
            ActorBuilder<Object> builder =
                    system.actor("clerk").strategy(strategy).supervision(policy).onStop(exit -> hooks.set(true));
            Function<ActorContext<Object>, ThrowingConsumer<Object>> factory = context -> {
                throw failure;
            };
            assertSame(failure, assertThrows(RuntimeException.class, () -> builder.newActorFrom(factory)));
            Await.until("the hook has run", hooks::get);
            hooks.set(false);
            // A caller that tries again finds the name free at once.
            var clerk = counting.actor(system.actor("clerk").strategy(strategy));
            assertEquals(1, Await.value(clerk.ask("a")));
            clerk.close();
        }
    }

    @Test
    void theNameIsFreeWhenTheCallerGetsTheFailure() {
        for (int i = 0; i < 100; i++) {
            assertSame(
                    failure,
                    assertThrows(
                            RuntimeException.class,
                            () -> system.actor("clerk").<Object>newActorFrom(context -> {
                                throw failure;
                            })));
        }
    }

    @AllStrategies(direct = true)
    void aDrainContinuesWithTheNewBehavior(ThreadStrategy strategy) {
        var actor = counting.actor(actor(strategy).supervision(Supervision.restart()));
        actor.execute(
                () -> { // all of these wait at the stop, on every strategy
                    actor.tell("a");
                    actor.tell(failure);
                    actor.tell("b");
                    actor.stop();
                });
        ActorExit exit = Await.end(actor);
        assertEquals(ActorExit.Reason.NORMAL, exit.reason());
        assertEquals(List.of("begin 1", "1 a", "begin 2", "2 b"), counting.events);
    }

    @Test
    void aRestartedActorWithoutReferencesIsGarbage() {
        var reference = new WeakReference<>(restarted());
        Await.until("the actor is collected", () -> {
            System.gc();
            return reference.get() == null;
        });
    }

    private Actor<?> restarted() {
        var actor = counting.actor(
                system.actor().supervision(Supervision.restart().backoff(Duration.ofNanos(1), Duration.ofNanos(1))));
        Await.failure(actor.ask(failure));
        Await.value(actor.ask("a"));
        return actor;
    }
}
