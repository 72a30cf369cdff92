package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.InContext;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A draining actor waits for the stages of {@code pipeToSelf}; a harder stop does not. */
class PipeStopTest extends KernelTest {

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private static void pipe(
            ActorContext<InContext.Code> context, CompletableFuture<Integer> stage, InContext.Code whenItCame) {
        context.pipeToSelf(stage, (v, f) -> whenItCame);
    }

    /** Waits until the actor has nothing left to do but wait. */
    private static void awaitWaiting(Actor<?> actor) {
        Await.until(
                actor + " has handled what it had", () -> ActorCell.of(actor).inHand() == null);
        Await.until(actor + " waits", () -> ActorCell.of(actor).stack().length == 0);
    }

    @AllStrategies(direct = true)
    void aDrainWaitsForAllStages(ThreadStrategy strategy) {
        for (UnaryOperator<ActorBuilder<Object>> mailbox : mailboxes()) {
            seen.clear();
            var first = new CompletableFuture<Integer>();
            var second = new CompletableFuture<Integer>();
            var actor = InContext.actor(mailbox.apply(actor(strategy)).onStop(exit -> seen.add("end")));
            InContext.run(actor, context -> {
                pipe(context, first, c -> seen.add("first"));
                pipe(context, second, c -> seen.add("second"));
            });
            actor.stop();
            assertThrows(ActorStoppedException.class, () -> actor.tell(c -> seen.add("refused")));
            second.complete(2);
            Await.until("the second one is handled", () -> seen.equals(List.of("second")));
            assertFalse(actor.exit().isDone());
            first.complete(1);
            assertTrue(Await.end(actor).isNormal());
            assertEquals(List.of("second", "first", "end"), seen);
        }
    }

    @AllStrategies(direct = true)
    void theHandlerOfAResultCanOpenAnotherStageAndMakeAChild(ThreadStrategy strategy) {
        var first = new CompletableFuture<Integer>();
        var second = new CompletableFuture<Integer>();
        var actor = InContext.actor(actor(strategy).onStop(exit -> seen.add("end")));
        InContext.run(
                actor,
                context -> pipe(context, first, c -> {
                    pipe(c, second, c2 -> seen.add("second"));
                    c.spawn()
                            .strategy(strategy)
                            .onStop(exit -> seen.add("end of child"))
                            .newSink(null);
                    seen.add("first");
                }));
        actor.stop();
        first.complete(1);
        Await.until("the first one is handled", () -> seen.equals(List.of("first")));
        second.complete(2);
        Await.end(actor);
        assertEquals(List.of("first", "second", "end of child", "end"), seen);
    }

    /** Children are not stopped before the last result: its handler may need them. */
    @AllStrategies
    void childrenCanEndAndSendDuringTheWait(ThreadStrategy strategy) {
        var stage = new CompletableFuture<Integer>();
        var actor = InContext.actor(actor(strategy).onStop(exit -> seen.add("end")));
        var ending = InContext.actor(actor(strategy).childOf(actor).onStop(exit -> seen.add("end of one child")));
        var sending = InContext.actor(actor(strategy).childOf(actor).onStop(exit -> seen.add("end of the other")));
        InContext.run(actor, context -> pipe(context, stage, c -> seen.add("result")));
        actor.stop();
        awaitWaiting(actor);
        ending.close();
        InContext.run(sending, context -> actor.tell(c -> seen.add("from a child")));
        Await.until("the child's message is handled", () -> seen.contains("from a child"));
        assertFalse(actor.exit().isDone());
        InContext.run(sending, c -> seen.add("still alive"));
        stage.complete(1);
        Await.end(actor);
        assertEquals(
                List.of("end of one child", "from a child", "still alive", "result", "end of the other", "end"), seen);
    }

    @AllStrategies
    void aChildsMessageCanOpenAStageWhileTheParentWaitsForItsChildren(ThreadStrategy strategy) {
        var stage = new CompletableFuture<Integer>();
        var gate = new Gate();
        var actor = InContext.actor(actor(strategy).onStop(exit -> seen.add("end")));
        var child = InContext.actor(actor(strategy).childOf(actor).onStop(exit -> seen.add("end of child")));
        child.tell(context -> {
            gate.pass();
            actor.tell(c -> pipe(c, stage, c2 -> seen.add("result")));
        });
        gate.awaitReached();
        actor.stop();
        ActorStates.awaitStopped(child, StopMode.DRAIN); // makes the parent wait for it
        gate.open();
        Await.end(child);
        assertFalse(actor.exit().isDone());
        stage.complete(1);
        Await.end(actor);
        assertEquals(List.of("end of child", "result", "end"), seen);
    }

    @AllStrategies(direct = true)
    void aHarderStopDoesNotWait(ThreadStrategy strategy) {
        for (StopMode mode : List.of(StopMode.DISCARD, StopMode.INTERRUPT)) {
            for (boolean draining : List.of(false, true)) {
                var stage = new CompletableFuture<Integer>();
                var actor = InContext.actor(actor(strategy));
                InContext.run(actor, context -> pipe(context, stage, c -> seen.add("result")));
                if (draining) {
                    actor.stop();
                    awaitWaiting(actor);
                    assertFalse(actor.exit().isDone());
                }
                actor.stop(mode);
                Await.end(actor);
                stage.complete(1);
                assertEquals(List.of(), seen);
                assertEquals(0, Await.end(actor).discarded());
            }
        }
    }

    @AllStrategies(direct = true)
    void aStageThatNeverCompletesHoldsACloseUntilItsDeadline(ThreadStrategy strategy) {
        var stage = new CompletableFuture<Integer>();
        var actor = InContext.actor(actor(strategy));
        InContext.run(actor, context -> pipe(context, stage, c -> seen.add("result")));
        assertFalse(actor.close(Duration.ofMillis(10)));
        assertEquals(List.of(), seen);
    }

    @AllStrategies(direct = true)
    void theCloseOfTheSystemWaitsForTheStageOfAnIdleAnonymousActor(ThreadStrategy strategy) {
        var other = ActorSystem.create(strategy);
        var stage = new CompletableFuture<Integer>();
        var actor = InContext.actor(other.actor());
        InContext.run(actor, context -> pipe(context, stage, c -> seen.add("result")));
        var closed = new CompletableFuture<Boolean>();
        Thread.ofPlatform().daemon().start(() -> closed.complete(other.close(Await.LIMIT)));
        Await.until("the system closes", other::isClosing);
        assertFalse(closed.isDone());
        stage.complete(1);
        assertTrue(Await.value(closed));
        assertEquals(List.of("result"), seen);
    }

    /** A stage may complete at any moment of the drain: before, during and after its last check. */
    @AllStrategies
    void eachResultIsHandledBeforeTheEndAtAnyMoment(ThreadStrategy strategy) {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            int stages = 1 + random.nextInt(4);
            var handled = new AtomicInteger();
            var handledAtTheEnd = new AtomicInteger();
            var actor = InContext.actor(actor(strategy).onStop(exit -> handledAtTheEnd.set(handled.get())));
            List<CompletableFuture<Integer>> open = new ArrayList<>();
            for (int i = 0; i < stages; i++) {
                open.add(new CompletableFuture<>());
            }
            boolean withChild = random.nextBoolean();
            InContext.run(actor, context -> {
                open.forEach(stage -> pipe(context, stage, c -> handled.incrementAndGet()));
                if (withChild) {
                    context.spawn().strategy(strategy).newSink(null);
                }
            });
            var threads = open.stream()
                    .map(stage -> completing(stage, random.nextInt(3_000)))
                    .toList();
            spin(random.nextInt(3_000));
            actor.stop();
            Await.end(actor);
            assertEquals(stages, handledAtTheEnd.get(), () -> "seed " + seed);
            threads.forEach(Await::thread);
            assertEquals(stages, handled.get(), () -> "seed " + seed);
        }
    }

    /** Any thread may open a stage: it is refused, or the system does not retain the ended actor because of it. */
    @AllStrategies
    void aStageOpenedDuringTheEndIsNotRetainedByTheSystem(ThreadStrategy strategy) {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            var actor = InContext.actor(actor(strategy));
            var context = InContext.of(actor);
            int spins = random.nextInt(1_000);
            var opener = Thread.ofPlatform().daemon().start(() -> {
                spin(spins);
                openUntilItHasEnded(context);
            });
            spin(random.nextInt(1_000));
            actor.stop(StopMode.DISCARD);
            Await.thread(opener);
            Await.end(actor);
        }
        assertTrue(system.close(Await.LIMIT), () -> "seed " + seed);
    }

    private void openUntilItHasEnded(ActorContext<InContext.Code> context) {
        try {
            while (true) {
                pipe(context, new CompletableFuture<>(), c -> seen.add("never"));
            }
        } catch (ActorStoppedException ended) {
            assertTrue(ended.getMessage().contains("stopped"), ended::getMessage);
        }
    }

    private static Thread completing(CompletableFuture<Integer> stage, int spins) {
        return Thread.ofPlatform().daemon().start(() -> {
            spin(spins);
            stage.complete(1);
        });
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }
}
