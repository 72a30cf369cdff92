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
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.SupervisedFamily;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** OTP's principles of supervision, one by one: the start, the restarted children, and the ends that count. */
class SupervisorTest extends KernelTest {

    private final RuntimeException failure = new IllegalStateException("meant to fail");
    private static final List<String> NAMES = List.of("a", "b", "c");

    private static SupervisorSpec of(
            SupervisorSpec spec, Restart restart, Function<String, Function<ActorBuilder<Object>, Actor<?>>> child) {
        SupervisorSpec all = spec;
        for (String name : NAMES) {
            all = all.child(name, restart, child.apply(name));
        }
        return all;
    }

    @AllStrategies(direct = true)
    void childrenStartInOrderAndAreKnownByTheirNames(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor =
                system.actor().newSupervisor(of(SupervisorSpec.oneForOne(), Restart.PERMANENT, family::lasting));
        assertEquals(List.of("begin a", "begin b", "begin c"), family.events);
        assertEquals(NAMES, supervisor.children());
        for (String name : NAMES) {
            Actor<?> child = supervisor.child(name).orElseThrow();
            assertEquals(name, child.name());
            assertSame(child, system.find(name).orElseThrow());
        }
        assertTrue(supervisor.child("d").isEmpty());
    }

    // ---- the restarted children

    @AllStrategies(direct = true)
    void oneForOneRestartsTheFailedChild(ThreadStrategy strategy) {
        for (Restart restart : List.of(Restart.PERMANENT, Restart.TRANSIENT)) {
            var family = new SupervisedFamily(strategy);
            var supervisor = system.actor().newSupervisor(of(SupervisorSpec.oneForOne(), restart, family::lasting));
            assertEquals(1, Await.value(SupervisedFamily.child(supervisor, "b").ask("x")));
            assertEquals(1, Await.value(SupervisedFamily.child(supervisor, "c").ask("x")));
            SupervisedFamily.child(supervisor, "b").tell(failure);
            family.awaitAfterStart(3, supervisor, "begin b");
            assertEquals(1, Await.value(SupervisedFamily.child(supervisor, "b").ask("x")));
            assertEquals(2, Await.value(SupervisedFamily.child(supervisor, "c").ask("x")));
            supervisor.close();
        }
    }

    @AllStrategies(direct = true)
    void oneForAllRestartsAllInTheOrderOfTheirStart(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor =
                system.actor().newSupervisor(of(SupervisorSpec.oneForAll(), Restart.PERMANENT, family::lasting));
        SupervisedFamily.child(supervisor, "b").tell(failure);
        family.awaitAfterStart(3, supervisor, "begin a", "begin b", "begin c");
    }

    @AllStrategies(direct = true)
    void restForOneRestartsTheFailedChildAndItsSuccessors(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor =
                system.actor().newSupervisor(of(SupervisorSpec.restForOne(), Restart.PERMANENT, family::lasting));
        SupervisedFamily.child(supervisor, "b").tell(failure);
        family.awaitAfterStart(3, supervisor, "begin b", "begin c");
    }

    @AllStrategies(direct = true)
    void childrenWithoutAFactoryAreStoppedInReverseOrderBeforeTheRestart(ThreadStrategy strategy) {
        var all = new SupervisedFamily(strategy);
        var forAll = system.actor().newSupervisor(of(SupervisorSpec.oneForAll(), Restart.PERMANENT, all::mortal));
        SupervisedFamily.child(forAll, "b").tell(failure);
        all.awaitAfterStart(3, forAll, "end b", "end c", "end a", "begin a", "begin b", "begin c");
        forAll.close();

        var rest = new SupervisedFamily(strategy);
        var forRest = system.actor().newSupervisor(of(SupervisorSpec.restForOne(), Restart.PERMANENT, rest::mortal));
        SupervisedFamily.child(forRest, "a").tell(failure);
        rest.awaitAfterStart(3, forRest, "end a", "end c", "end b", "begin a", "begin b", "begin c");
    }

    @AllStrategies(direct = true)
    void oneForAllRestartsPermanentAndTransientSiblings(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForAll()
                        .child("a", Restart.PERMANENT, family.lasting("a"))
                        .child("b", Restart.TRANSIENT, family.lasting("b"))
                        .child("c", Restart.TEMPORARY, family.lasting("c")));
        SupervisedFamily.child(supervisor, "b").stop();
        Await.until("b is gone", () -> !supervisor.children().contains("b"));
        SupervisedFamily.child(supervisor, "a").tell(failure);
        // A transient child that has ended normally is started again with the others, a temporary one is not.
        family.awaitAfterStart(3, supervisor, "end b", "end c", "begin a", "begin b");
        assertEquals(List.of("a", "b"), supervisor.children());
    }

    // ---- the ends that count

    private enum End {
        NORMAL,
        FAILURE,
        INTERRUPT
    }

    @AllStrategies(direct = true)
    void permanentChildrenAreRestartedAfterEveryEnd(ThreadStrategy strategy) {
        assertRestarts(strategy, Restart.PERMANENT, Set.of(End.values()));
    }

    @AllStrategies(direct = true)
    void transientChildrenAreRestartedUnlessTheyEndNormally(ThreadStrategy strategy) {
        assertRestarts(strategy, Restart.TRANSIENT, Set.of(End.FAILURE, End.INTERRUPT));
    }

    @AllStrategies(direct = true)
    void temporaryChildrenAreNeverRestarted(ThreadStrategy strategy) {
        assertRestarts(strategy, Restart.TEMPORARY, Set.of());
    }

    private void assertRestarts(ThreadStrategy strategy, Restart restart, Set<End> restarted) {
        for (boolean lasting : new boolean[] {true, false}) {
            for (End end : End.values()) {
                String what = restart + ", " + end + ", lasting: " + lasting;
                var family = new SupervisedFamily(strategy);
                var supervisor = system.actor()
                        .newSupervisor(SupervisorSpec.oneForAll()
                                .child("a", Restart.PERMANENT, family.lasting("a"))
                                .child("b", restart, lasting ? family.lasting("b") : family.mortal("b")));
                Actor<Object> before = SupervisedFamily.child(supervisor, "b");
                switch (end) {
                    case NORMAL -> before.stop();
                    case FAILURE -> before.tell(failure);
                    case INTERRUPT -> before.stop(StopMode.INTERRUPT);
                }
                if (restarted.contains(end)) {
                    family.awaitBegun("b", 2);
                    SupervisedFamily.awaitTurn(supervisor);
                    assertEquals(2, family.begun("a"), what);
                    boolean inPlace = lasting && end == End.FAILURE;
                    assertEquals(
                            inPlace, SupervisedFamily.child(supervisor, "b").equals(before), what);
                    assertEquals(
                            1,
                            Await.value(SupervisedFamily.child(supervisor, "b").ask("x")),
                            what);
                } else {
                    Await.until("b is gone", () -> !supervisor.children().contains("b"));
                    SupervisedFamily.awaitTurn(supervisor);
                    assertEquals(2, family.begun("a") + family.begun("b"), what);
                    assertTrue(supervisor.child("b").isEmpty(), what);
                    assertEquals(
                            1,
                            Await.value(SupervisedFamily.child(supervisor, "a").ask("x")),
                            what);
                }
                supervisor.close();
            }
        }
    }

    // ---- mailbox and handle

    @AllStrategies
    void aRestartInPlaceKeepsMailboxAndHandle(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForOne().child("a", Restart.PERMANENT, family.lasting("a")));
        var a = SupervisedFamily.child(supervisor, "a");
        var gate = new Gate();
        a.tell("x");
        a.tell(gate);
        a.tell(failure);
        var next = a.ask("y");
        gate.open();
        assertEquals(1, Await.value(next));
        assertSame(a, SupervisedFamily.child(supervisor, "a"));
        assertFalse(a.exit().isDone());
    }

    @AllStrategies
    void aChildWithoutAFactoryIsReplacedByAnotherWithItsName(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForOne().child("a", Restart.TRANSIENT, family.mortal("a")));
        var a = SupervisedFamily.child(supervisor, "a");
        var gate = new Gate();
        a.tell(gate);
        gate.awaitReached();
        a.tell(failure);
        var lost = a.ask("y");
        gate.open();
        assertSame(failure, Await.failure(lost).getCause());
        assertEquals(1, Await.end(a).discarded());
        family.awaitBegun("a", 2);
        SupervisedFamily.awaitTurn(supervisor);
        var next = SupervisedFamily.child(supervisor, "a");
        assertNotSame(a, next);
        assertSame(next, system.find("a").orElseThrow());
        assertEquals(1, Await.value(next.ask("z")));
    }

    // ---- invalid uses of a supervisor

    @Test
    void childrenRequireUniqueNamesAndValidTimes() {
        var family = new SupervisedFamily(ThreadStrategy.virtual());
        var spec = SupervisorSpec.oneForOne().child("a", Restart.PERMANENT, family.lasting("a"));
        for (String name : List.of("a", "", " ")) {
            var thrown = assertThrows(
                    IllegalArgumentException.class, () -> spec.child(name, Restart.PERMANENT, family.lasting("a")));
            assertTrue(thrown.getMessage().contains(name.isBlank() ? "blank" : "named a"), thrown::getMessage);
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> spec.child("b", Restart.PERMANENT, Duration.ofNanos(-1), family.lasting("b")));
        assertThrows(IllegalArgumentException.class, () -> spec.limit(-1, Duration.ofSeconds(1)));
        assertThrows(IllegalArgumentException.class, () -> spec.limit(1, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> spec.backoff(Duration.ZERO, Duration.ofSeconds(1)));
    }

    @Test
    void aChildMadeOutsideOfTheSpecificationEndsWhenItFails() {
        var supervisor = system.actor().newSupervisor(SupervisorSpec.oneForAll());
        var counting = new CountingBehavior();
        var adopted = counting.actor(system.actor().childOf(supervisor).supervision(Supervision.escalate()));
        adopted.tell(failure);
        assertSame(failure, Await.end(adopted).cause());
        assertEquals(1, counting.made());
        assertFalse(supervisor.exit().isDone());
    }
}
