package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Handlers that do not end in spite of an interrupt: who closes them waits on, and the log says once where they stand. */
class StuckReportTest extends KernelTest {

    private final List<Deaf> deaf = new ArrayList<>();
    private final List<Actor<Integer>> stuck = new ArrayList<>();
    private final List<Thread> closers = new ArrayList<>();

    /** An actor that does not listen. */
    private Actor<Integer> stuck(ActorBuilder<Object> builder) {
        var itsOwn = new Deaf();
        deaf.add(itsOwn);
        Actor<Integer> actor = builder.newActor((Integer n) -> itsOwn.standHere());
        stuck.add(actor);
        actor.tell(1);
        itsOwn.awaitReached();
        return actor;
    }

    private Thread start(Runnable close) {
        var thread = Thread.ofPlatform().daemon().start(close);
        closers.add(thread);
        Await.untilBlocked(thread);
        return thread;
    }

    private static List<String> lines(LogLines log, Actor<?> actor) {
        return log.with(" " + actor.name() + " ", "does not end");
    }

    private void assertToldOnceWhereTheyStand(LogLines log) {
        for (Actor<?> actor : stuck) {
            Await.until(actor + " is told of", () -> !lines(log, actor).isEmpty());
            String line = lines(log, actor).getFirst();
            assertTrue(line.contains("io.fibry.Deaf.standHere"), line);
        }
        closers.forEach(closer -> assertTrue(closer.isAlive(), () -> closer + " waits for the end"));
        deaf.forEach(Deaf::open);
        closers.forEach(Await::thread);
        stuck.forEach(actor -> assertEquals(1, lines(log, actor).size(), log::text));
    }

    @Test
    void whoClosesAnActorLearnsWhereItStands() {
        try (var log = new LogLines()) {
            for (ThreadStrategy strategy : List.of(
                    ThreadStrategy.virtual(),
                    ThreadStrategy.platform(),
                    ThreadStrategy.pool(Thread::startVirtualThread))) {
                var actor = stuck(actor(strategy));
                start(() -> actor.close(Duration.ZERO));
            }
            var parent = system.actor("parent").newSink(null);
            stuck(system.actor().childOf(parent));
            start(() -> parent.close(Duration.ZERO));
            var interrupted = stuck(system.actor());
            start(() -> interrupted.close(Duration.ofDays(1))).interrupt();
            var inHook = new Deaf();
            deaf.add(inHook);
            Actor<Integer> ending = system.actor().onStop(inHook::standHere).newActor((Integer n) -> {});
            stuck.add(ending);
            start(() -> ending.close(Duration.ZERO));
            assertToldOnceWhereTheyStand(log);
            assertEquals(List.of(), lines(log, parent));
        }
    }

    @Test
    void aSupervisorTellsForWhomItWaits() {
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
            failing.tell(new IllegalStateException("meant to fail")); // so that the other one is stopped
            start(() -> supervisor.close(Duration.ofDays(1)));
            assertToldOnceWhereTheyStand(log);
        }
    }

    @Test
    void whoClosesTheSystemLearnsWhereItsActorsStand() {
        try (var log = new LogLines()) {
            stuck(system.actor());
            stuck(system.actor("platform").strategy(ThreadStrategy.platform()));
            stuck(system.actor("pool").strategy(ThreadStrategy.pool(Thread::startVirtualThread)));
            start(() -> system.close(Duration.ZERO));
            start(() -> system.close(Duration.ZERO));
            assertToldOnceWhereTheyStand(log);
        }
    }

    @Test
    void anExecutorThatRunsNothingIsToldOf() {
        List<Runnable> waiting = Collections.synchronizedList(new ArrayList<>());
        var actor = actor(ThreadStrategy.pool(waiting::add)).newActor((Integer n) -> {});
        actor.tell(1);
        try (var log = new LogLines()) {
            start(() -> system.close(Duration.ZERO));
            start(() -> actor.close(Duration.ZERO));
            Await.until(
                    "the log tells it",
                    () -> !log.with("an executor has not run").isEmpty());
            Await.until(
                    "the log tells it of the actor", () -> !lines(log, actor).isEmpty());
            assertTrue(lines(log, actor).getFirst().endsWith("no thread is at work in it"), log::text);
            waiting.removeFirst().run();
            closers.forEach(Await::thread);
        }
    }
}
