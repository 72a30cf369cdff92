package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import io.fibry.testing.UninterruptibleGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * Handlers that do not end in spite of an interrupt: the closing thread gives up after the last step and is notified,
 * the stack is logged once, and the actors end when their handlers return.
 */
class StuckReportTest extends KernelTest {

    private static final List<ThreadStrategy> STRATEGIES = List.of(
            ThreadStrategy.virtual(), ThreadStrategy.platform(), ThreadStrategy.pool(Thread::startVirtualThread));

    private final List<UninterruptibleGate> gates = new ArrayList<>();
    private final List<Actor<Integer>> stuck = new ArrayList<>();
    private final List<CompletableFuture<Boolean>> closings = new ArrayList<>();

    /** An actor that ignores interrupts. */
    private Actor<Integer> stuck(ActorBuilder<Object> builder) {
        var itsOwn = new UninterruptibleGate();
        gates.add(itsOwn);
        Actor<Integer> actor = builder.newActor((Integer n) -> itsOwn.pass());
        stuck.add(actor);
        actor.tell(1);
        itsOwn.awaitReached();
        return actor;
    }

    /** Closes a resource on a separate thread. */
    private Thread start(BooleanSupplier close) {
        var closing = new CompletableFuture<Boolean>();
        closings.add(closing);
        var thread = Thread.ofPlatform().daemon().start(() -> closing.complete(close.getAsBoolean()));
        Await.untilBlocked(thread);
        return thread;
    }

    private static List<String> lines(LogLines log, Actor<?> actor) {
        return log.with(" " + actor.name() + " ", "does not end");
    }

    private void assertClosesGiveUp() {
        closings.forEach(closing -> assertFalse(Await.value(closing)));
    }

    private void assertStacksLoggedOnce(LogLines log) {
        for (Actor<?> actor : stuck) {
            assertFalse(actor.exit().isDone());
            assertEquals(1, lines(log, actor).size(), log::text);
            String line = lines(log, actor).getFirst();
            assertTrue(line.contains("io.fibry.testing.UninterruptibleGate.pass"), line);
        }
        gates.forEach(UninterruptibleGate::open);
        stuck.forEach(Await::end);
        stuck.forEach(actor -> assertTrue(actor.close(Duration.ZERO)));
        stuck.forEach(actor -> assertEquals(1, lines(log, actor).size(), log::text));
    }

    @Test
    void closeOfAnActorReportsItsStack() {
        try (var log = new LogLines()) {
            for (ThreadStrategy strategy : STRATEGIES) {
                var actor = stuck(actor(strategy));
                start(() -> actor.close(Duration.ZERO));
            }
            var parent = system.actor("parent").newSink(null);
            stuck(system.actor().childOf(parent));
            start(() -> parent.close(Duration.ZERO));
            var interrupted = stuck(system.actor());
            start(() -> interrupted.close(Duration.ofDays(1))
                            || !Thread.currentThread().isInterrupted())
                    .interrupt();
            var inHook = new UninterruptibleGate();
            gates.add(inHook);
            Actor<Integer> ending = system.actor().onStop(exit -> inHook.pass()).newActor((Integer n) -> {});
            stuck.add(ending);
            start(() -> ending.close(Duration.ZERO));
            assertClosesGiveUp();
            assertStacksLoggedOnce(log);
            assertEquals(List.of(), lines(log, parent));
            Await.end(parent);
        }
    }

    /** It ends as any other actor: hooks run, tied resources are closed, waiting messages are dead letters. */
    @Test
    void anAbandonedActorEndsWhenItsHandlerReturns() {
        Queue<String> ended = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Integer>> asks = new ArrayList<>();
        for (ThreadStrategy strategy : STRATEGIES) {
            var itsOwn = new UninterruptibleGate();
            gates.add(itsOwn);
            var actor = actor(strategy)
                    .onStop(exit -> ended.add("hook"))
                    .newActorWithReturn((Integer n) -> {
                        itsOwn.pass();
                        return n;
                    })
                    .closeOnExit(() -> ended.add("resource"));
            asks.add(actor.ask(1));
            itsOwn.awaitReached();
            actor.tell(2);
            var queued = actor.ask(3);
            start(() -> actor.close(Duration.ZERO) || !queued.isCompletedExceptionally());
            var unused = actor.exit().thenAccept(exit -> ended.add(exit.handled() + " and " + exit.discarded()));
        }
        assertClosesGiveUp();
        assertEquals(0, ended.size());
        gates.forEach(UninterruptibleGate::open);
        asks.forEach(ask -> assertEquals(1, Await.value(ask)));
        Await.until("all have ended", () -> ended.size() == 9);
        for (String event : List.of("hook", "resource", "1 and 2")) {
            assertEquals(3, Collections.frequency(List.copyOf(ended), event), ended::toString);
        }
    }

    @Test
    void aSecondCloseOfAnAbandonedActorGivesUpToo() {
        try (var log = new LogLines()) {
            var actor = stuck(system.actor("clerk"));
            assertFalse(actor.close(Duration.ZERO));
            assertFalse(actor.close(Duration.ZERO));
            assertEquals(2, lines(log, actor).size(), log::text); // each has its reason
            gates.forEach(UninterruptibleGate::open);
            assertTrue(actor.close(Await.LIMIT));
        }
    }

    /** A supervisor with a stop timeout waits for its children up to that time, and reports for which. */
    @Test
    void aSupervisorReportsTheChildItWaitsFor() {
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForAll()
                        .child("deaf", SupervisorSpec.Restart.PERMANENT, Duration.ZERO, this::stuck)
                        .child(
                                "failing",
                                SupervisorSpec.Restart.PERMANENT,
                                builder -> builder.<RuntimeException>newActorFrom(context -> failure -> {
                                    throw failure;
                                })));
        try (var log = new LogLines()) {
            var failing = system.<RuntimeException>find("failing").orElseThrow();
            failing.tell(new IllegalStateException("meant to fail")); // causes the stop of the other one
            start(() -> supervisor.close(Duration.ofDays(1)));
            Await.until("the log tells it", () -> !lines(log, stuck.getFirst()).isEmpty());
            assertStacksLoggedOnce(log);
            assertTrue(Await.value(closings.getFirst()));
        }
    }

    @Test
    void closeOfTheSystemReportsTheStacksOfItsActors() {
        try (var log = new LogLines()) {
            stuck(system.actor());
            stuck(system.actor("platform").strategy(ThreadStrategy.platform()));
            stuck(system.actor("pool").strategy(ThreadStrategy.pool(Thread::startVirtualThread)));
            start(() -> system.close(Duration.ZERO));
            start(() -> system.close(Duration.ZERO));
            assertClosesGiveUp();
            assertFalse(system.close(Duration.ZERO));
            assertStacksLoggedOnce(log);
            Await.until("the system has ended", () -> system.close(Duration.ZERO));
        }
    }

    @Test
    void waitingMessagesOfAnAbandonedSystemAreDeadLettersAndTheirAsksFail() {
        var counted = system.stats().sent();
        var letters = new ConcurrentLinkedQueue<Object>();
        system.onDeadLetter(letter -> letters.add(letter.message()));
        List<CompletableFuture<Object>> asks = new ArrayList<>();
        for (ThreadStrategy strategy : STRATEGIES) {
            var itsOwn = new UninterruptibleGate();
            gates.add(itsOwn);
            ReplyActor<Integer, Object> actor = actor(strategy).newActorWithReturn((Integer n) -> {
                itsOwn.pass();
                return n;
            });
            actor.tell(1);
            itsOwn.awaitReached();
            actor.tell(2);
            asks.add(actor.ask(3));
        }
        Thread.currentThread().interrupt(); // for a quick close
        assertFalse(system.close(Duration.ofDays(1)));
        assertTrue(Thread.interrupted());
        asks.forEach(ask -> assertInstanceOf(ActorStoppedException.class, Await.failure(ask)));
        assertEquals(List.of(), List.copyOf(letters)); // the actors still hold them
        assertThrows(IllegalStateException.class, () -> system.actor().newSink(null));
        gates.forEach(UninterruptibleGate::open);
        Await.until("the system has ended", () -> system.close(Duration.ZERO));
        assertEquals(List.of(2, 2, 2, 3, 3, 3), letters.stream().sorted().toList());
        assertEquals(9, system.stats().sent() - counted);
    }

    @Test
    void aBlockThatClosesItsSystemEnds() {
        var itsOwn = new UninterruptibleGate();
        CompletableFuture<ActorExit> exit;
        try (var log = new LogLines()) {
            try (var other = ActorSystem.create()) {
                var actor = other.actor("clerk").newActor((Integer n) -> itsOwn.pass());
                exit = actor.exit();
                actor.tell(1);
                itsOwn.awaitReached();
                Thread.currentThread().interrupt(); // otherwise it would take ten seconds longer
            }
            assertTrue(Thread.interrupted());
            assertEquals(
                    1,
                    log.with("Actor clerk", "does not end", "io.fibry.testing.UninterruptibleGate.pass")
                            .size(),
                    log::text);
        }
        assertFalse(exit.isDone());
        itsOwn.open();
        assertEquals(ActorExit.Reason.INTERRUPTED, Await.value(exit).reason());
    }

    @Test
    void anExecutorThatRunsNoTasksIsReported() {
        List<Runnable> waiting = Collections.synchronizedList(new ArrayList<>());
        var actor = actor(ThreadStrategy.pool(waiting::add)).newActor((Integer n) -> {});
        actor.tell(1);
        try (var log = new LogLines()) {
            start(() -> system.close(Duration.ZERO));
            start(() -> actor.close(Duration.ZERO));
            assertClosesGiveUp();
            assertEquals(1, log.with("an executor has not run").size(), log::text);
            assertEquals(1, lines(log, actor).size(), log::text);
            assertTrue(lines(log, actor).getFirst().endsWith("no thread is running it"), log::text);
            waiting.removeFirst().run();
            assertTrue(actor.close(Duration.ZERO));
            assertTrue(system.close(Duration.ZERO));
        }
    }
}
