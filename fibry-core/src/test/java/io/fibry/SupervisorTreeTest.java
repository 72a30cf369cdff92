package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.SupervisorSpec.Restart;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.CountingBehavior;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import io.fibry.testing.SupervisedFamily;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** When a supervisor gives up, the recipients of its failure, and starts that fail. */
class SupervisorTreeTest extends KernelTest {

    private static final Duration LONG = Duration.ofDays(1);
    private final RuntimeException failure = new IllegalStateException("meant to fail");

    // ---- intensity

    @AllStrategies(direct = true)
    void oneRestartMoreThanTheLimitEndsTheSupervisorAndItsChildren(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var family = new SupervisedFamily(strategy);
            var supervisor = system.actor("boss")
                    .newSupervisor(SupervisorSpec.oneForOne()
                            .limit(2, LONG)
                            .child("a", Restart.PERMANENT, family.lasting("a"))
                            .child("b", Restart.PERMANENT, family.lasting("b")));
            var a = SupervisedFamily.child(supervisor, "a");
            var b = SupervisedFamily.child(supervisor, "b");
            Await.failure(a.ask(failure));
            assertEquals(1, Await.value(a.ask("x")));
            Await.failure(b.ask(failure)); // failures of all children count together
            assertEquals(1, Await.value(b.ask("x")));
            var last = new IllegalArgumentException("the third");
            a.tell(last);
            ActorExit exit = Await.end(supervisor);
            assertSame(last, exit.cause());
            assertSame(last, Await.end(a).cause());
            assertTrue(Await.end(b).isNormal());
            assertEquals(List.of("begin a", "begin b", "begin a", "begin b", "end b", "end a"), family.events);
            assertEquals(1, log.with("ERROR", "boss", "too many restarts").size(), log::text);
            assertEquals(1, log.with("ERROR", "Actor a").size(), log::text);
        }
    }

    @AllStrategies(direct = true)
    void aRestartOfSeveralCountsOnce(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForAll()
                        .limit(1, LONG)
                        .child("a", Restart.PERMANENT, family.mortal("a"))
                        .child("b", Restart.PERMANENT, family.mortal("b"))
                        .child("c", Restart.PERMANENT, family.lasting("c")));
        SupervisedFamily.child(supervisor, "b").tell(failure);
        family.awaitAfterStart(3, supervisor, "end b", "end a", "begin a", "begin b", "begin c");
        assertFalse(supervisor.exit().isDone());
    }

    @AllStrategies(direct = true)
    void normalEndsOfPermanentChildrenCountToo(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = system.actor()
                .newSupervisor(
                        SupervisorSpec.oneForOne().limit(0, LONG).child("a", Restart.PERMANENT, family.lasting("a")));
        SupervisedFamily.child(supervisor, "a").stop();
        Throwable cause = Await.end(supervisor).cause();
        assertTrue(String.valueOf(cause).contains("child a ended"), () -> "cause " + cause);
    }

    @AllStrategies(direct = true)
    void endsWithoutARestartDoNotCount(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForOne()
                        .limit(0, LONG)
                        .child("a", Restart.TEMPORARY, family.lasting("a"))
                        .child("b", Restart.TEMPORARY, family.mortal("b"))
                        .child("c", Restart.TRANSIENT, family.lasting("c"))
                        .child("d", Restart.PERMANENT, family.lasting("d")));
        SupervisedFamily.child(supervisor, "a").tell(failure);
        SupervisedFamily.child(supervisor, "b").tell(failure);
        SupervisedFamily.child(supervisor, "c").stop();
        Await.until("one is left", () -> supervisor.children().equals(List.of("d")));
        SupervisedFamily.awaitTurn(supervisor);
        assertEquals(1, Await.value(SupervisedFamily.child(supervisor, "d").ask("x")));
        assertFalse(supervisor.exit().isDone());
    }

    @Test
    void theDefaultLimitIsExceededByTheFourthFailureInARow() {
        var family = new SupervisedFamily(ThreadStrategy.virtual());
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForOne().child("a", Restart.PERMANENT, family.lasting("a")));
        var a = SupervisedFamily.child(supervisor, "a");
        for (int i = 0; i < 4; i++) {
            CompletableFuture<Integer> unused = a.ask(failure);
        }
        assertSame(failure, Await.end(supervisor).cause());
        assertEquals(4, family.begun("a"));
    }

    // ---- the supervisor of a supervisor

    @AllStrategies(direct = true)
    void aSupervisorThatGivesUpIsRestartedByItsSupervisor(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var inner = new AtomicReference<Supervisor>();
        var outer = system.actor()
                .newSupervisor(SupervisorSpec.restForOne()
                        .child("a", Restart.PERMANENT, family.lasting("a"))
                        .child("inner", Restart.PERMANENT, builder -> {
                            Supervisor made = builder.newSupervisor(SupervisorSpec.oneForOne()
                                    .limit(0, LONG)
                                    .child("b", Restart.PERMANENT, family.lasting("b"))
                                    .child("c", Restart.PERMANENT, family.lasting("c")));
                            inner.set(made);
                            return made;
                        })
                        .child("d", Restart.PERMANENT, family.lasting("d")));
        Supervisor first = inner.get();
        var b = SupervisedFamily.child(first, "b");
        assertSame(first, outer.child("inner").orElseThrow());
        b.tell(failure);
        family.awaitAfterStart(4, outer, "end c", "end b", "begin b", "begin c", "begin d");
        assertSame(failure, Await.end(first).cause());
        assertNotSame(first, inner.get());
        assertSame(inner.get(), outer.child("inner").orElseThrow());
        assertNotSame(b, SupervisedFamily.child(inner.get(), "b"));
        outer.close();
        assertEquals(List.of("end d", "end c", "end b", "end a"), family.events.subList(9, 13));
    }

    @AllStrategies(direct = true)
    void aFailureEscalatesThroughAllSupervisorsThatGiveUp(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        SupervisorSpec strict = SupervisorSpec.oneForAll().limit(0, LONG);
        var inner = new AtomicReference<Supervisor>();
        var parent = new CountingBehavior();
        var root = parent.actor(system.actor().supervision(Supervision.stop()));
        var outer = system.actor().childOf(root).newSupervisor(strict.child("inner", Restart.TRANSIENT, builder -> {
            inner.set(builder.newSupervisor(strict.child("a", Restart.TRANSIENT, family.lasting("a"))));
            return inner.get();
        }));
        SupervisedFamily.child(inner.get(), "a").tell(failure);
        assertSame(failure, Await.end(inner.get()).cause());
        assertSame(failure, Await.end(outer).cause());
        assertEquals(1, Await.value(root.ask("a parent that is no supervisor goes on")));
    }

    // ---- starts that fail

    @AllStrategies(direct = true)
    void aFailedStartStopsTheOthersInReverseOrderAndIsThrownToTheCaller(ThreadStrategy strategy) {
        for (boolean inTheFactory : new boolean[] {true, false}) {
            var family = new SupervisedFamily(strategy);
            Function<ActorBuilder<Object>, Actor<?>> broken = builder -> {
                if (!inTheFactory) {
                    throw failure;
                }
                return builder.strategy(strategy).<Object>newActorFrom(context -> {
                    throw failure;
                });
            };
            SupervisorSpec spec = SupervisorSpec.oneForOne()
                    .child("a", Restart.PERMANENT, family.lasting("a"))
                    .child("b", Restart.TEMPORARY, family.mortal("b"))
                    .child("c", Restart.PERMANENT, broken)
                    .child("d", Restart.PERMANENT, family.lasting("d"));
            ActorBuilder<Object> boss = system.actor("boss");
            assertSame(failure, assertThrows(RuntimeException.class, () -> boss.newSupervisor(spec)));
            assertEquals(List.of("begin a", "begin b", "end b", "end a"), family.events);
            for (String name : List.of("boss", "a", "b", "c", "d")) {
                assertTrue(system.find(name).isEmpty(), name);
            }
        }
    }

    @AllStrategies(direct = true)
    void aFailedStartDeepInTheTreeIsThrownToTheCaller(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        SupervisorSpec spec = SupervisorSpec.oneForOne()
                .child("a", Restart.PERMANENT, family.lasting("a"))
                .child(
                        "inner",
                        Restart.PERMANENT,
                        builder -> builder.newSupervisor(SupervisorSpec.oneForOne()
                                .child("b", Restart.PERMANENT, family.lasting("b"))
                                .child("c", Restart.PERMANENT, c -> {
                                    throw failure;
                                })));
        assertSame(
                failure,
                assertThrows(RuntimeException.class, () -> system.actor().newSupervisor(spec)));
        assertEquals(List.of("begin a", "begin b", "end b", "end a"), family.events);
    }

    @Test
    void aStartFunctionMustUseItsBuilder() {
        List<Function<ActorBuilder<Object>, Actor<?>>> wrong =
                List.of(builder -> system.actor().newSink(null), builder -> null);
        for (var start : wrong) {
            SupervisorSpec spec = SupervisorSpec.oneForOne().child("a", Restart.PERMANENT, start);
            var thrown = assertThrows(
                    IllegalStateException.class, () -> system.actor().newSupervisor(spec));
            assertTrue(thrown.getMessage().contains("start function of child a"), thrown::getMessage);
        }
    }

    @AllStrategies
    void aChildThatFailsDuringTheStartOfTheOthersIsRestartedAfterwards(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForAll()
                        .child("a", Restart.PERMANENT, builder -> {
                            Actor<?> a = family.lasting("a").apply(builder);
                            if (family.begun("a") == 1) {
                                a.execute(() -> {
                                    throw failure;
                                });
                            }
                            return a;
                        })
                        .child("b", Restart.PERMANENT, family.lasting("b")));
        family.awaitAfterStart(2, supervisor, "begin a", "begin b");
    }
}
