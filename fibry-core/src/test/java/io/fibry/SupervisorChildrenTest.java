package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.SupervisorSpec.Restart;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.SupervisedFamily;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Children that are started while their supervisor runs. {@code SupervisorStopChildTest} stops them. */
class SupervisorChildrenTest extends KernelTest {

    private final RuntimeException failure = new IllegalStateException("meant to fail");

    /** A supervisor with the child a, and children b and c that are started later. */
    private Supervisor withThree(SupervisorSpec spec, SupervisedFamily family) {
        var supervisor = system.actor().newSupervisor(spec.child("a", Restart.PERMANENT, family.lasting("a")));
        Await.value(supervisor.start("b", Restart.PERMANENT, family.lasting("b")));
        Await.value(supervisor.start("c", Restart.PERMANENT, family.lasting("c")));
        assertEquals(List.of("a", "b", "c"), supervisor.children());
        return supervisor;
    }

    @AllStrategies(direct = true)
    void theFutureHasTheActorWithItsTypes(ThreadStrategy strategy) {
        var supervisor = system.actor().newSupervisor(SupervisorSpec.oneForOne());
        CompletableFuture<ReplyActor<Integer, Integer>> started = supervisor.start(
                "squares",
                Restart.PERMANENT,
                builder -> builder.strategy(strategy).newActorWithReturn((Integer n) -> n * n));
        ReplyActor<Integer, Integer> squares = Await.value(started);
        assertEquals(49, Await.value(squares.ask(7)));
        assertEquals("squares", squares.name());
        assertSame(squares, supervisor.child("squares").orElseThrow());
        assertSame(squares, system.find("squares").orElseThrow());
    }

    @AllStrategies(direct = true)
    void dynamicChildrenAreRestartedLikeSpecifiedOnes(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var one = withThree(SupervisorSpec.oneForOne(), family);
        var b = SupervisedFamily.child(one, "b");
        b.tell(failure);
        family.awaitAfterStart(3, one, "begin b");
        assertSame(b, SupervisedFamily.child(one, "b"));
        one.close();

        family = new SupervisedFamily(strategy);
        var all = withThree(SupervisorSpec.oneForAll(), family);
        SupervisedFamily.child(all, "b").tell(failure);
        family.awaitAfterStart(3, all, "begin a", "begin b", "begin c");
        all.close();

        family = new SupervisedFamily(strategy);
        var rest = withThree(SupervisorSpec.restForOne(), family);
        SupervisedFamily.child(rest, "b").tell(failure);
        family.awaitAfterStart(3, rest, "begin b", "begin c");
    }

    @AllStrategies(direct = true)
    void anEndedChildIsStartedAgainAccordingToItsRestart(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = system.actor().newSupervisor(SupervisorSpec.oneForOne());
        var permanent = Await.value(supervisor.start("a", Restart.PERMANENT, family.mortal("a")));
        var temporary = Await.value(supervisor.start("b", Restart.TEMPORARY, family.mortal("b")));
        permanent.stop();
        family.awaitBegun("a", 2);
        temporary.stop();
        Await.until("b is forgotten", () -> supervisor.children().equals(List.of("a")));
        assertNotSame(permanent, SupervisedFamily.child(supervisor, "a"));
        assertEquals(1, family.begun("b"));
    }

    @AllStrategies(direct = true)
    void theEndOfTheSupervisorStopsTheLastOneFirst(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = withThree(SupervisorSpec.oneForOne(), family);
        supervisor.close();
        assertEquals(List.of("end c", "end b", "end a"), family.events.subList(3, 6));
    }

    @AllStrategies(direct = true)
    void aNameCanBeTakenOnce(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = withThree(SupervisorSpec.oneForOne(), family);
        var refusal = Await.failure(supervisor.start("b", Restart.PERMANENT, family.lasting("b")));
        assertInstanceOf(IllegalStateException.class, refusal);
        assertTrue(refusal.getMessage().contains("b"), refusal::getMessage);
        system.actor("elsewhere").newSink(null);
        assertInstanceOf(
                IllegalStateException.class,
                Await.failure(supervisor.start("elsewhere", Restart.PERMANENT, family.lasting("elsewhere"))));
        assertEquals(List.of("a", "b", "c"), supervisor.children());
        assertEquals(3, family.events.size());
    }

    @AllStrategies(direct = true)
    void theNameOfATransientChildThatHasEndedIsFree(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = system.actor().newSupervisor(SupervisorSpec.oneForOne());
        var before = Await.value(supervisor.start("a", Restart.TRANSIENT, family.mortal("a")));
        before.stop();
        Await.until("a is forgotten", () -> supervisor.children().isEmpty());
        Await.value(supervisor.start("b", Restart.TRANSIENT, family.mortal("b")));
        var after = Await.value(supervisor.start("a", Restart.TRANSIENT, family.mortal("a")));
        assertNotSame(before, after);
        assertEquals(List.of("b", "a"), supervisor.children());
        SupervisedFamily.child(supervisor, "a").tell(failure);
        family.awaitBegun("a", 3);
    }

    @AllStrategies(direct = true)
    void anExceptionOfTheStartFunctionFailsTheFuture(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = withThree(SupervisorSpec.oneForOne(), family);
        assertSame(failure, Await.failure(supervisor.start("d", Restart.PERMANENT, builder -> {
            throw failure;
        })));
        assertSame(failure, Await.failure(supervisor.start("d", Restart.PERMANENT, builder -> {
            var unused = family.mortal("d").apply(builder);
            throw failure;
        })));
        assertTrue(system.find("d").isEmpty());
        assertEquals(List.of("a", "b", "c"), supervisor.children());
        assertEquals(List.of("begin d", "end d"), family.events.subList(3, 5));
        Await.value(supervisor.start("d", Restart.PERMANENT, family.mortal("d")));
        assertEquals(List.of("a", "b", "c", "d"), supervisor.children());
    }

    @AllStrategies(direct = true)
    void theActorMustBeMadeWithTheBuilder(ThreadStrategy strategy) {
        var supervisor = system.actor().newSupervisor(SupervisorSpec.oneForOne());
        var other = Await.failure(supervisor.start(
                "a", Restart.PERMANENT, builder -> actor(strategy).newSink(null)));
        assertTrue(other.getMessage().contains("builder"), other::getMessage);
        var none = Await.failure(supervisor.<Actor<?>>start("a", Restart.PERMANENT, builder -> null));
        assertTrue(none.getMessage().contains("builder"), none::getMessage);
        assertEquals(List.of(), supervisor.children());
        assertNull(Await.end(closed(supervisor)).cause());
    }

    @Test
    void wrongArgumentsAreRefusedAtOnce() {
        var supervisor = system.actor().newSupervisor(SupervisorSpec.oneForOne());
        assertThrows(
                IllegalArgumentException.class,
                () -> supervisor.start(" ", Restart.PERMANENT, builder -> builder.newSink(null)));
        assertThrows(
                IllegalArgumentException.class,
                () -> supervisor.start(
                        "a", Restart.PERMANENT, Duration.ofSeconds(-1), builder -> builder.newSink(null)));
        assertThrows(NullPointerException.class, () -> supervisor.start("a", Restart.PERMANENT, Duration.ZERO, null));
        assertThrows(NullPointerException.class, () -> supervisor.stop((String) null));
    }

    @AllStrategies(direct = true)
    void aStoppedSupervisorStartsNoChild(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = withThree(SupervisorSpec.oneForOne(), family);
        supervisor.close();
        assertInstanceOf(
                ActorStoppedException.class,
                Await.failure(supervisor.start("d", Restart.PERMANENT, family.lasting("d"))));
        assertInstanceOf(ActorStoppedException.class, Await.failure(supervisor.stop("a")));
        assertEquals(0, family.begun("d"));
    }

    /** Requests made before the stop are not executed after it. */
    @AllStrategies
    void aSupervisorStoppedMeanwhileStartsNoChild(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = withThree(SupervisorSpec.oneForOne(), family);
        var gate = new Gate();
        supervisor.execute(gate::pass);
        gate.awaitReached();
        var started = supervisor.start("d", Restart.PERMANENT, family.lasting("d"));
        supervisor.stop();
        gate.open();
        assertInstanceOf(ActorStoppedException.class, Await.failure(started));
        Await.end(supervisor);
        assertEquals(0, family.begun("d"));
    }

    @AllStrategies
    void aChildCanStartAnother(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = withThree(SupervisorSpec.oneForOne(), family);
        var started = new CompletableFuture<Actor<?>>();
        Runnable start =
                () -> started.complete(Await.value(supervisor.start("d", Restart.PERMANENT, family.lasting("d"))));
        SupervisedFamily.child(supervisor, "a").tell(start);
        assertSame(Await.value(started), SupervisedFamily.child(supervisor, "d"));
    }

    private static Actor<?> closed(Actor<?> actor) {
        actor.close();
        return actor;
    }
}
