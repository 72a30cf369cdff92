package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorBuilder;
import io.fibry.ActorInfo;
import io.fibry.AskDeadlockException;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.Supervision;
import io.fibry.Supervisor;
import io.fibry.SupervisorSpec;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Cycles with a wait that occupies no thread, or one that must not fail: of a restarting parent for its children, of a
 * successor for its predecessor, of a paused child for its supervisor, of a supervisor for a child.
 *
 * <p>Seen to fail: without the wait of the children, of the pause, of the predecessor or of the supervisor; without the
 * check after a wait without a thread; with a check that follows a wait that has ended.
 */
class HeldWaitTest extends KernelTest {

    private static final ThrowingFunction<Void, Object> DONE = unused -> "done";

    /** Returns an actor whose messages are code that may ask other actors. */
    private ReplyActor<ThrowingFunction<Void, Object>, Object> asker(ActorBuilder<Object> builder) {
        return builder.newActorWithReturn(code -> code.apply(null));
    }

    /** Returns the first of these failures, as the behavior has caught it. */
    private static Throwable firstFailure(CompletableFuture<?>... futures) {
        var first = new CompletableFuture<Throwable>();
        for (CompletableFuture<?> future : futures) {
            CompletableFuture<?> unused = future.whenComplete((value, failure) -> {
                if (failure != null) {
                    first.complete(failure instanceof CompletionException e ? e.getCause() : failure);
                }
            });
        }
        return Await.value(first);
    }

    private static void awaitAll(CompletableFuture<?>... futures) {
        for (CompletableFuture<?> future : futures) {
            Await.value(future.handle((value, failure) -> "done"));
        }
    }

    private ActorInfo info(String name) {
        return system.actors()
                .filter(actor -> actor.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void awaitState(String name, ActorInfo.State state) {
        Await.until(name + " is " + state, () -> info(name).state() == state);
    }

    /** The cycle in the message may start with any of its actors. */
    private static void assertCycle(String expected, Throwable failure) {
        List<String> actors = List.of(expected.split(" -> ")).subList(1, expected.split(" -> ").length);
        List<String> cycle =
                assertInstanceOf(AskDeadlockException.class, failure).cycle();
        var rotated = new ArrayList<>(actors);
        Collections.rotate(rotated, -actors.indexOf(cycle.getFirst()));
        rotated.add(cycle.getFirst());
        assertEquals(rotated, cycle);
        assertEquals(String.join(" -> ", cycle), failure.getMessage());
    }

    // ---- a parent that restarts

    /**
     * X waits for the parent in this way, the child waits for a reply of X, and the parent restarts. Interrupts do not
     * affect these waits.
     */
    private final class RestartingFamily {
        final ReplyActor<ThrowingFunction<Void, Object>, Object> x;
        final ReplyActor<Object, Object> parent;
        final CompletableFuture<ReplyActor<ThrowingFunction<Void, Object>, Object>> child = new CompletableFuture<>();
        final CompletableFuture<Void> childGoesOn = new CompletableFuture<>();
        final CompletableFuture<Void> xGoesOn = new CompletableFuture<>();
        final CompletableFuture<Void> parentFails = new CompletableFuture<>();
        final CompletableFuture<Object> ofX;
        final CompletableFuture<Object> ofChild;

        RestartingFamily(ThreadStrategy strategy, ThrowingFunction<ReplyActor<Object, Object>, Object> waits) {
            x = asker(system.actor("x").strategy(strategy));
            parent = system.actor("parent")
                    .strategy(strategy)
                    .bounded(1, Overflow.BLOCK)
                    .supervision(Supervision.restart())
                    .newActorWithReturnFrom(context -> {
                        if (!child.isDone()) {
                            child.complete(asker(
                                    system.actor("child").strategy(strategy).childOf(context.self())));
                        }
                        return message -> {
                            if (message.equals("fail")) {
                                parentFails.join();
                                throw new IllegalStateException("fails");
                            }
                            return message;
                        };
                    });
            ofX = x.ask(unused -> {
                xGoesOn.join();
                return waits.apply(parent);
            });
            ofChild = Await.value(child).ask(unused -> {
                childGoesOn.join();
                return x.ask(DONE).join();
            });
            parent.tell("fail");
            Await.until(
                    "all are running",
                    () -> List.of("x", "child", "parent").stream()
                            .allMatch(name -> info(name).state() == ActorInfo.State.RUNNING));
            parent.tell("fills the mailbox");
        }

        Throwable firstFailure() {
            return HeldWaitTest.firstFailure(ofX, ofChild);
        }

        void awaitRecovery() {
            awaitAll(ofX, ofChild);
            Await.until("the parent has restarted", () -> info("parent").restarts() == 1);
            assertEquals("alive", Await.value(parent.ask("alive")));
        }
    }

    private static Object waitsForRoom(ReplyActor<Object, Object> parent) {
        parent.tell("waits for room");
        return "sent";
    }

    private void theChildCompletesTheCycle(RestartingFamily family, ActorInfo.State ofX) {
        family.parentFails.complete(null);
        awaitState("parent", ActorInfo.State.PAUSED);
        family.xGoesOn.complete(null);
        awaitState("x", ofX);
        family.childGoesOn.complete(null);
        assertCycle("child -> x -> parent -> child", family.firstFailure());
        family.awaitRecovery();
    }

    private void theRestartCompletesTheCycle(RestartingFamily family, ActorInfo.State ofX) {
        family.xGoesOn.complete(null);
        awaitState("x", ofX);
        family.childGoesOn.complete(null);
        awaitState("child", ActorInfo.State.WAITS_FOR_REPLY);
        family.parentFails.complete(null);
        assertCycle("parent -> child -> x -> parent", family.firstFailure());
        family.awaitRecovery();
    }

    @AllStrategies
    void aChildCompletesACycleOfARestartAndAFullMailbox(ThreadStrategy strategy) {
        theChildCompletesTheCycle(
                new RestartingFamily(strategy, HeldWaitTest::waitsForRoom), ActorInfo.State.WAITS_FOR_ROOM);
    }

    @AllStrategies
    void aRestartCompletesACycleWithAFullMailbox(ThreadStrategy strategy) {
        theRestartCompletesTheCycle(
                new RestartingFamily(strategy, HeldWaitTest::waitsForRoom), ActorInfo.State.WAITS_FOR_ROOM);
    }

    /** The wait for room fails, unless the restart searches for cycles after it has begun: then the ask fails. */
    @AllStrategies
    void aSenderCompletesACycleWithARestart(ThreadStrategy strategy) {
        var family = new RestartingFamily(strategy, HeldWaitTest::waitsForRoom);
        family.parentFails.complete(null);
        awaitState("parent", ActorInfo.State.PAUSED);
        family.childGoesOn.complete(null);
        awaitState("child", ActorInfo.State.WAITS_FOR_REPLY);
        family.xGoesOn.complete(null);
        Throwable failure = family.firstFailure();
        if (failure instanceof AskDeadlockException) {
            assertCycle("x -> parent -> child -> x", failure);
        } else {
            assertInstanceOf(MailboxFullException.class, failure);
            assertTrue(
                    failure.getMessage()
                            .contains("actor x waits for room at parent, actor parent waits for the end of child,"
                                    + " actor child waits for a reply of x"),
                    failure.getMessage());
        }
        family.awaitRecovery();
    }

    @AllStrategies
    void anAskCompletesACycleWithARestart(ThreadStrategy strategy) {
        var parent = new AtomicReference<ReplyActor<Object, Object>>();
        var left = new CompletableFuture<Void>();
        var x = asker(system.actor("x").strategy(strategy));
        var child = new CompletableFuture<ReplyActor<ThrowingFunction<Void, Object>, Object>>();
        parent.set(system.actor("parent")
                .strategy(strategy)
                .supervision(Supervision.restart())
                .newActorWithReturnFrom(context -> {
                    if (!child.isDone()) {
                        child.complete(
                                asker(system.actor("child").strategy(strategy).childOf(context.self())));
                    }
                    return message -> {
                        if (message.equals("fail")) {
                            throw new IllegalStateException("fails");
                        }
                        return message;
                    };
                }));
        var ofX = x.ask(unused -> {
            left.join();
            return parent.get().ask("alive").join();
        });
        var ofChild = Await.value(child).ask(unused -> x.ask(DONE).join());
        awaitState("child", ActorInfo.State.WAITS_FOR_REPLY);
        parent.get().tell("fail");
        awaitState("parent", ActorInfo.State.PAUSED);
        assertEquals("child", info("parent").waitsFor());
        assertTrue(
                info("parent").toString().startsWith("parent: paused, waits for the end of child;"),
                info("parent").toString());
        left.complete(null);
        assertCycle("x -> parent -> child -> x", firstFailure(ofX, ofChild));
        awaitAll(ofX, ofChild);
        assertEquals("alive", Await.value(parent.get().ask("alive")));
    }

    // ---- a successor

    @AllStrategies
    void aSuccessorWaitsForItsPredecessor(ThreadStrategy strategy) {
        var parent = asker(system.actor("parent").strategy(strategy));
        var predecessor = asker(system.actor("predecessor").strategy(strategy).childOf(parent));
        var begun = new CompletableFuture<Void>();
        var goesOn = new CompletableFuture<Void>();
        var successor = new AtomicReference<ReplyActor<ThrowingFunction<Void, Object>, Object>>();
        var asked = predecessor.ask(unused -> {
            begun.complete(null);
            goesOn.join();
            return successor.get().ask(DONE).join();
        });
        Await.value(begun);
        predecessor.stop();
        successor.set(
                asker(system.actor("successor").strategy(strategy).childOf(new PlaceAfter<>(parent, predecessor))));
        assertEquals(ActorInfo.State.PAUSED, info("successor").state());
        assertEquals("predecessor", info("successor").waitsFor());
        goesOn.complete(null);
        assertCycle("predecessor -> successor -> predecessor", firstFailure(asked));
        assertEquals("done", Await.value(successor.get().ask(DONE)));
        awaitState("successor", ActorInfo.State.IDLE);
    }

    // ---- a supervisor

    private static SupervisorSpec with(
            SupervisorSpec spec,
            String name,
            AtomicReference<ReplyActor<ThrowingFunction<Void, Object>, Object>> made,
            ThreadStrategy strategy) {
        return spec.child(name, SupervisorSpec.Restart.PERMANENT, builder -> {
            ReplyActor<ThrowingFunction<Void, Object>, Object> actor =
                    builder.strategy(strategy).newActorWithReturnFrom(context -> code -> code.apply(null));
            made.set(actor);
            return actor;
        });
    }

    /** A child fails and pauses; its sibling, which has to pause, waits for a reply of it. */
    @AllStrategies
    void aSupervisorRestartsAGroup(ThreadStrategy strategy) {
        var failing = new AtomicReference<ReplyActor<ThrowingFunction<Void, Object>, Object>>();
        var busy = new AtomicReference<ReplyActor<ThrowingFunction<Void, Object>, Object>>();
        system.actor("supervisor")
                .newSupervisor(
                        with(with(SupervisorSpec.oneForAll(), "failing", failing, strategy), "busy", busy, strategy));
        var begun = new CompletableFuture<Void>();
        var goesOn = new CompletableFuture<Void>();
        var asked = busy.get().ask(unused -> {
            begun.complete(null);
            goesOn.join();
            return failing.get().ask(DONE).join();
        });
        Await.value(begun);
        failing.get().tell(unused -> {
            throw new IllegalStateException("fails");
        });
        awaitState("supervisor", ActorInfo.State.WAITS_FOR_PAUSE);
        assertTrue(
                info("supervisor").toString().startsWith("supervisor: waits until busy has finished its message"),
                info("supervisor").toString());
        goesOn.complete(null);
        assertCycle("busy -> failing -> supervisor -> busy", firstFailure(asked));
        Await.until("the group has restarted", () -> info("failing").restarts() == 1);
        assertEquals("done", Await.value(failing.get().ask(DONE)));
    }

    /** The supervisor completes the cycle, and must not fail. */
    @AllStrategies
    void aChildAsksItsSupervisorToStopIt(ThreadStrategy strategy) {
        var child = new AtomicReference<ReplyActor<ThrowingFunction<Void, Object>, Object>>();
        Supervisor supervisor =
                system.actor("supervisor").newSupervisor(with(SupervisorSpec.oneForOne(), "child", child, strategy));
        var asked = child.get().ask(unused -> supervisor.stop("child").join());
        assertCycle("supervisor -> child -> supervisor", firstFailure(asked));
        Await.end(child.get());
    }

    // ---- waits that are not a cycle

    /** A draining parent still answers its children, so its wait for them is not part of a cycle. */
    @AllStrategies
    void aDrainingParentAnswersItsChildren(ThreadStrategy strategy) {
        var parent = asker(system.actor("parent").strategy(strategy));
        var child = asker(system.actor("child").strategy(strategy).childOf(parent));
        var begun = new CompletableFuture<Void>();
        var goesOn = new CompletableFuture<Void>();
        var asked = child.ask(unused -> {
            begun.complete(null);
            goesOn.join();
            return parent.ask(DONE).join();
        });
        Await.value(begun);
        parent.stop();
        Await.until("the parent waits", () -> "child".equals(info("parent").waitsFor()));
        assertTrue(
                info("parent").toString().startsWith("parent: stopped, waits for the end of child"),
                info("parent").toString());
        goesOn.complete(null);
        assertEquals("done", Await.value(asked));
        Await.end(parent);
    }

    /** A child that the parent does not wait for handles a message, and waits for the parent. */
    @Test
    void aParentThatHasRestartedIsNotPartOfACycle() {
        var family = new RestartingFamily(ThreadStrategy.virtual(), parent -> "no wait");
        family.xGoesOn.complete(null);
        family.childGoesOn.complete(null);
        family.parentFails.complete(null);
        family.awaitRecovery();
        assertEquals("done", Await.value(family.ofChild));
        Await.until("it is idle", () -> info("parent").state() == ActorInfo.State.IDLE);
        assertEquals(null, info("parent").waitsFor());
    }

    // ---- the message

    /** The message and the stacks have a limit, regardless of the number of actors in the cycle. */
    @Test
    void aLongCycleNamesTenActors() {
        int size = 1_000;
        var actors = new ArrayList<ReplyActor<ThrowingFunction<Void, Object>, Object>>();
        for (int i = 0; i < size; i++) {
            actors.add(asker(system.actor("a" + i)));
        }
        var allRunning = new CountDownLatch(size);
        var failures = new ArrayList<CompletableFuture<?>>();
        for (int i = 0; i < size; i++) {
            var next = actors.get((i + 1) % size);
            failures.add(actors.get(i).ask(unused -> {
                allRunning.countDown();
                allRunning.await();
                return next.ask(DONE).join();
            }));
        }
        var failure = (AskDeadlockException) firstFailure(failures.toArray(new CompletableFuture<?>[0]));
        assertTrue(failure.getMessage().contains(" -> 990 others -> a"), failure.getMessage());
        assertTrue(failure.getMessage().length() < 200, failure.getMessage());
        assertEquals(10, failure.getSuppressed().length);
        assertEquals(size + 1, failure.cycle().size());
    }
}
