package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.CountingBehavior;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The pause before a restart. Where a test requires that it has not ended, it lasts a day. */
class RestartPauseTest extends KernelTest {

    private static final Duration LONG = Duration.ofDays(1);
    private final RuntimeException failure = new IllegalStateException("meant to fail");

    private final CountingBehavior counting = new CountingBehavior();

    private ReplyActor<Object, Integer> failed(ThreadStrategy strategy) {
        return failed(actor(strategy));
    }

    /** Returns an actor that waits for its restart. */
    private ReplyActor<Object, Integer> failed(ActorBuilder<Object> builder) {
        var actor = counting.actor(builder.supervision(Supervision.restart().backoff(LONG, LONG)));
        assertEquals(1, Await.value(actor.ask("a")));
        assertSame(failure, Await.failure(actor.ask(failure)));
        ActorStates.awaitPause(actor);
        return actor;
    }

    @AllStrategies(direct = true)
    void afterThePauseTheActorHandlesTheMessagesReceivedMeanwhile(ThreadStrategy strategy) {
        Supervision policy = Supervision.restart().backoff(Duration.ofNanos(1), Duration.ofMillis(1));
        var actor = counting.actor(actor(strategy).supervision(policy));
        for (int i = 1; i <= 20; i++) {
            actor.tell("a");
            actor.tell(failure);
            assertEquals(1, Await.value(actor.ask("b")));
        }
        assertEquals(21, counting.made());
        assertEquals(61, counting.events.size());
        assertEquals(List.of("19 a", "begin 20", "20 b"), counting.events.subList(55, 58));
    }

    @AllStrategies(direct = true)
    void aPausedActorAcceptsMessagesAndUsesNoThread(ThreadStrategy strategy) {
        var actor = failed(strategy);
        var answers = List.of(actor.ask("b"), actor.ask("c"));
        actor.execute(() -> counting.events.add("code"));
        Await.until("nothing runs", ((LocalSystem) system)::isQuiescent);
        assertEquals(List.of("begin 1", "1 a"), counting.events);
        actor.stop();
        assertEquals(List.of(1, 2), answers.stream().map(Await::value).toList());
        assertEquals(ActorExit.Reason.NORMAL, Await.end(actor).reason());
        assertEquals(List.of("begin 1", "1 a", "begin 2", "2 b", "2 c", "code"), counting.events);
    }

    /** The timer would tick to no purpose: its ticks belong to the old behavior. */
    @AllStrategies(direct = true)
    void aPausedActorHasNoTimers(ThreadStrategy strategy) {
        var actor = actor(strategy)
                .supervision(Supervision.restart().backoff(LONG, LONG))
                .<Object>newActorFrom(context -> {
                    context.after(LONG, "never");
                    return CountingBehavior::act;
                });
        assertTrue(ActorCell.of(actor).context().awaitsSomething());
        actor.tell(failure);
        ActorStates.awaitPause(actor);
        assertFalse(ActorCell.of(actor).context().awaitsSomething());
        actor.stop(StopMode.DISCARD); // a drain would make a behavior, and wait for its timer
    }

    @AllStrategies(direct = true)
    void aBoundedMailboxIsBoundedDuringThePause(ThreadStrategy strategy) {
        var actor = failed(actor(strategy).bounded(2, Overflow.FAIL));
        var first = actor.ask("b");
        var second = actor.ask("c");
        assertInstanceOf(MailboxFullException.class, Await.failure(actor.ask("d")));
        assertEquals(2, actor.mailboxSize().orElseThrow());
        actor.stop();
        assertEquals(1, Await.value(first));
        assertEquals(2, Await.value(second));
    }

    @AllStrategies(direct = true)
    void aDrainEndsThePauseAndHandlesWaitingMessages(ThreadStrategy strategy) {
        var actor = failed(strategy);
        var answer = actor.ask("b");
        actor.close();
        assertEquals(1, Await.value(answer));
        ActorExit exit = Await.end(actor);
        assertEquals(List.of(3L, 1L, 0L), List.of(exit.handled(), exit.failed(), exit.discarded()));
        assertEquals(ActorExit.Reason.NORMAL, exit.reason());
        assertEquals(2, counting.made());
    }

    /** The backoff would be useless: the actor is going to end. */
    @AllStrategies
    void aFailureDuringADrainRestartsAtOnceAndHandlesTheRest(ThreadStrategy strategy) {
        for (UnaryOperator<ActorBuilder<Object>> mailbox : mailboxes().subList(0, 2)) { // the FIFO mailboxes
            int before = counting.events.size();
            var gate = new Gate();
            var actor = counting.actor(mailbox.apply(actor(strategy))
                    .supervision(Supervision.restart().backoff(LONG, LONG)));
            actor.tell(gate);
            gate.awaitReached();
            var failed = List.of(actor.ask(failure), actor.ask(failure));
            var answer = actor.ask("b");
            actor.stop();
            gate.open();
            assertEquals(1, Await.value(answer));
            failed.forEach(ask -> assertSame(failure, Await.failure(ask)));
            ActorExit exit = Await.end(actor);
            assertEquals(List.of(4L, 2L, 0L), List.of(exit.handled(), exit.failed(), exit.discarded()));
            assertEquals(ActorExit.Reason.NORMAL, exit.reason());
            assertEquals(3, begun(before));
        }
    }

    private long begun(int firstEvent) {
        return counting.events.stream()
                .skip(firstEvent)
                .filter(event -> event.startsWith("begin"))
                .count();
    }

    /** Without a behavior no message can be handled, and without a backoff the attempts would never end. */
    @AllStrategies
    void anActorWhoseFactoryFailsWhileItDrainsEnds(ThreadStrategy strategy) {
        var gate = new Gate();
        var made = new AtomicInteger();
        ReplyActor<Object, Integer> actor = actor(strategy)
                .supervision(Supervision.restart().backoff(LONG, LONG))
                .newActorWithReturnFrom(context -> {
                    if (made.incrementAndGet() > 1) {
                        throw new IllegalStateException("no behavior");
                    }
                    return message -> {
                        CountingBehavior.act(message);
                        return 1;
                    };
                });
        actor.tell(gate);
        gate.awaitReached();
        actor.tell(failure);
        var lost = actor.ask("b");
        actor.stop();
        gate.open();
        assertInstanceOf(ActorStoppedException.class, Await.failure(lost));
        ActorExit exit = Await.end(actor);
        assertEquals(ActorExit.Reason.FAILED, exit.reason());
        assertEquals(1, exit.discarded());
        assertEquals(2, made.get());
    }

    /** The stop races with the failure's request for a pause. */
    @AllStrategies
    void aStopConcurrentWithAFailureNeverWaitsForTheBackoff(ThreadStrategy strategy) {
        var random = new Random(20_261_123);
        for (int round = 0; round < 500; round++) {
            var actor = counting.actor(
                    actor(strategy).supervision(Supervision.restart().backoff(LONG, LONG)));
            var ask = actor.ask(failure);
            for (int spins = random.nextInt(2_000); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            actor.stop();
            assertSame(failure, Await.failure(ask));
            assertEquals(ActorExit.Reason.NORMAL, Await.end(actor).reason());
        }
    }

    @AllStrategies(direct = true)
    void aHarderStopEndsThePauseAndMakesNoBehavior(ThreadStrategy strategy) {
        for (StopMode mode : List.of(StopMode.DISCARD, StopMode.INTERRUPT)) {
            int before = counting.made();
            var dead = new AtomicInteger();
            system.onDeadLetter(letter -> dead.incrementAndGet());
            var actor = failed(strategy);
            var ask = actor.ask("b");
            actor.tell("c");
            actor.stop(mode);
            assertInstanceOf(ActorStoppedException.class, Await.failure(ask));
            ActorExit exit = Await.end(actor);
            assertEquals(
                    mode == StopMode.DISCARD ? ActorExit.Reason.NORMAL : ActorExit.Reason.INTERRUPTED, exit.reason());
            assertEquals(2, exit.discarded());
            assertEquals(2, dead.get());
            assertNull(exit.cause());
            assertEquals(before + 1, counting.made());
        }
    }

    @AllStrategies(direct = true)
    void theEndOfTheSystemEndsThePauseAndHandlesWaitingMessages(ThreadStrategy strategy) {
        var root = failed(strategy);
        var parent = actor(strategy).newSink(null);
        var child = failed(actor(strategy).childOf(parent));
        var answers = List.of(root.ask("b"), child.ask("c"));
        system.close(LONG); // returns at once: no handler runs
        assertEquals(List.of(1, 1), answers.stream().map(Await::value).toList());
        assertTrue(Await.end(root).isNormal());
        assertTrue(Await.end(child).isNormal());
    }

    @AllStrategies(direct = true)
    void theEndOfTheParentEndsThePause(ThreadStrategy strategy) {
        for (StopMode mode : StopMode.values()) {
            var parent = actor(strategy).newSink(null);
            var child = failed(actor(strategy).childOf(parent));
            var ask = child.ask("b");
            parent.stop(mode);
            assertEquals(mode == StopMode.DRAIN ? 0 : 1, Await.end(child).discarded());
            assertEquals(mode != StopMode.DRAIN, ask.isCompletedExceptionally());
            Await.end(parent);
        }
    }

    @AllStrategies
    void aDrainThatFailsAgainDoesNotPauseAgain(ThreadStrategy strategy) {
        var actor =
                counting.actor(actor(strategy).supervision(Supervision.restart().backoff(LONG, LONG)));
        actor.execute(() -> {
            actor.tell("a"); // after the failure
            actor.execute(() -> {
                throw failure;
            });
            actor.tell("b");
            actor.execute(actor::stop);
            throw failure;
        });
        ActorStates.awaitPause(actor);
        actor.stop(); // ends the first pause; the second failure starts none
        assertEquals(0, Await.end(actor).discarded());
        assertEquals(List.of("begin 1", "begin 2", "2 a", "begin 3", "3 b"), counting.events);
    }

    @AllStrategies(direct = true)
    void anInterruptedPauseLeavesNoInterruptBehind(ThreadStrategy strategy) {
        var other = actor(strategy)
                .newActorWithReturn((Object message) -> Thread.currentThread().isInterrupted());
        for (int i = 0; i < 50; i++) {
            var actor = failed(strategy);
            CompletableFuture<Integer> ask = actor.ask("b");
            actor.stop(StopMode.INTERRUPT);
            assertEquals(false, Await.value(other.ask("a")));
            Await.failure(ask);
            Await.end(actor);
        }
    }

    @Test
    void anActorStoppedDuringItsPauseIsGarbage() {
        var reference = new WeakReference<>(stopped());
        Await.until("the actor is collected", () -> {
            System.gc();
            return reference.get() == null;
        });
    }

    private Actor<?> stopped() {
        var actor = failed(ThreadStrategy.virtual());
        actor.close();
        return actor;
    }
}
