package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.StopMode;
import io.fibry.Supervisor;
import io.fibry.SupervisorSpec;
import io.fibry.SupervisorSpec.Restart;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.SupervisedFamily;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The stop of supervisors: in reverse order, within the time, and during restarts. */
class SupervisorStopTest extends KernelTest {

    private static final Duration LONG = Duration.ofDays(1);
    private final RuntimeException failure = new IllegalStateException("meant to fail");

    private static SupervisorSpec family(SupervisorSpec spec, Duration stopTimeout, SupervisedFamily family) {
        return spec.child("a", Restart.PERMANENT, stopTimeout, family.lasting("a"))
                .child("b", Restart.PERMANENT, stopTimeout, family.mortal("b"))
                .child("c", Restart.PERMANENT, stopTimeout, family.lasting("c"));
    }

    private Supervisor supervisor(SupervisorSpec spec, Duration stopTimeout, SupervisedFamily family) {
        return system.actor("boss").newSupervisor(family(spec, stopTimeout, family));
    }

    /** One whose children wait for a restart: c has failed. */
    private Supervisor pausing(SupervisedFamily family) {
        var supervisor = supervisor(SupervisorSpec.oneForAll().backoff(LONG, LONG), LONG, family);
        SupervisedFamily.child(supervisor, "c").tell(failure);
        ActorStates.awaitPause(SupervisedFamily.child(supervisor, "a")); // the last to pause
        SupervisedFamily.awaitTurn(supervisor);
        return supervisor;
    }

    @AllStrategies(direct = true)
    void childrenStopInTheReverseOrderOfTheirStart(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = supervisor(SupervisorSpec.oneForOne(), LONG, family);
        var answer = SupervisedFamily.child(supervisor, "a").ask("x");
        supervisor.close();
        assertEquals(1, Await.value(answer));
        assertEquals(List.of("end c", "end b", "end a"), family.events.subList(3, 6));
        assertTrue(Await.end(supervisor).isNormal());
        assertTrue(system.find("a").isEmpty());
        assertTrue(system.find("boss").isEmpty());
    }

    @AllStrategies
    void aChildIsStoppedWhenItsSuccessorHasEnded(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = supervisor(SupervisorSpec.oneForOne(), LONG, family);
        var c = SupervisedFamily.child(supervisor, "c");
        var b = SupervisedFamily.child(supervisor, "b");
        var gate = new Gate();
        c.tell(gate);
        gate.awaitReached();
        supervisor.stop();
        ActorStates.awaitStopped(c, StopMode.DRAIN);
        assertEquals(1, Await.value(b.ask("x"))); // c may still need it
        gate.open();
        Await.end(supervisor);
        assertFalse(gate.wasInterrupted());
    }

    @AllStrategies
    void aChildThatExceedsItsShutdownTimeIsInterrupted(ThreadStrategy strategy) {
        for (Duration stopTimeout : List.of(Duration.ofMillis(1), Duration.ZERO)) {
            var family = new SupervisedFamily(strategy);
            var supervisor = supervisor(SupervisorSpec.oneForOne(), stopTimeout, family);
            var b = SupervisedFamily.child(supervisor, "b");
            var gate = new Gate();
            b.tell(gate);
            gate.awaitReached();
            supervisor.stop();
            assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(b).reason());
            assertTrue(gate.wasInterrupted());
            assertTrue(Await.end(supervisor).isNormal());
            assertEquals(List.of("end c", "end b", "end a"), family.events.subList(3, 6));
        }
    }

    @AllStrategies(direct = true)
    void aChildWithoutTimeIsNotAskedToDrain(ThreadStrategy strategy) {
        List<StopMode> modes = new CopyOnWriteArrayList<>();
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForOne()
                        .child(
                                "a",
                                Restart.PERMANENT,
                                Duration.ZERO,
                                builder -> builder.strategy(strategy)
                                        .onStopRequested(modes::add)
                                        .newSink(null)));
        supervisor.close();
        assertEquals(List.of(StopMode.INTERRUPT), modes);
    }

    @AllStrategies
    void harderStopsReachAllChildrenAtOnce(ThreadStrategy strategy) {
        for (StopMode mode : List.of(StopMode.DISCARD, StopMode.INTERRUPT)) {
            var family = new SupervisedFamily(strategy);
            var supervisor = supervisor(SupervisorSpec.oneForOne(), LONG, family);
            var c = SupervisedFamily.child(supervisor, "c");
            var b = SupervisedFamily.child(supervisor, "b");
            var gate = new Gate();
            c.tell(gate);
            var lost = c.ask("x");
            gate.awaitReached();
            supervisor.stop(); // waits for c
            ActorStates.awaitStopped(c, StopMode.DRAIN);
            supervisor.stop(mode);
            Await.end(b);
            assertTrue(Await.failure(lost) instanceof ActorStoppedException);
            gate.open();
            Await.end(supervisor);
            assertEquals(mode == StopMode.INTERRUPT, gate.wasInterrupted());
        }
    }

    @AllStrategies
    void aStopWhileASiblingIsBeingPausedEndsAll(ThreadStrategy strategy) {
        for (StopMode mode : StopMode.values()) {
            var family = new SupervisedFamily(strategy);
            var supervisor = supervisor(SupervisorSpec.oneForAll(), LONG, family);
            var a = SupervisedFamily.child(supervisor, "a");
            var c = SupervisedFamily.child(supervisor, "c");
            var gate = new Gate();
            a.tell(gate);
            gate.awaitReached();
            c.tell(failure);
            Await.until("a has to pause", ActorCell.of(a).lifecycle().pause()::isWanted);
            supervisor.stop(mode);
            gate.open();
            ActorExit exit = Await.end(supervisor);
            assertEquals(
                    mode == StopMode.INTERRUPT ? ActorExit.Reason.INTERRUPTED : ActorExit.Reason.NORMAL, exit.reason());
            assertEquals(mode == StopMode.INTERRUPT, gate.wasInterrupted());
            assertTrue(a.exit().isDone() && c.exit().isDone());
            assertTrue(system.find("b").isEmpty());
        }
    }

    @AllStrategies(direct = true)
    void aStopInThePauseBeforeARestartEndsAllAtOnce(ThreadStrategy strategy) {
        for (StopMode mode : StopMode.values()) {
            var family = new SupervisedFamily(strategy);
            var supervisor = pausing(family);
            var a = SupervisedFamily.child(supervisor, "a");
            var c = SupervisedFamily.child(supervisor, "c");
            var ofA = a.ask("x");
            var ofC = c.ask("y");
            assertEquals(List.of("a", "b", "c"), supervisor.children());
            supervisor.stop(mode);
            Await.end(supervisor);
            // The failed child remains failed; the other one drains, if the mode permits.
            assertSame(failure, Await.failure(ofC).getCause());
            assertSame(failure, Await.end(c).cause());
            assertEquals(mode == StopMode.DRAIN, !ofA.isCompletedExceptionally());
            assertEquals(
                    mode == StopMode.INTERRUPT ? ActorExit.Reason.INTERRUPTED : ActorExit.Reason.NORMAL,
                    Await.end(a).reason());
            assertEquals(2, family.begun("a") + family.begun("c"));
        }
    }

    @AllStrategies(direct = true)
    void theEndOfTheSystemEndsAPauseBeforeARestart(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = pausing(family);
        var a = SupervisedFamily.child(supervisor, "a");
        var answer = a.ask("x");
        system.close(LONG);
        assertEquals(1, Await.value(answer));
        assertTrue(Await.end(supervisor).isNormal());
    }

    // ---- children that are stopped by their users

    @AllStrategies(direct = true)
    void aChildStoppedByItsUserDuringThePauseEndsAtOnce(ThreadStrategy strategy) {
        for (StopMode mode : StopMode.values()) {
            var family = new SupervisedFamily(strategy);
            var supervisor = pausing(family);
            var a = SupervisedFamily.child(supervisor, "a");
            var c = SupervisedFamily.child(supervisor, "c");
            var answer = a.ask("x");
            a.stop(mode);
            c.stop(mode);
            assertEquals(mode == StopMode.DRAIN ? 0 : 1, Await.end(a).discarded());
            assertEquals(mode != StopMode.DRAIN, answer.isCompletedExceptionally());
            assertEquals(ActorExit.Reason.FAILED, Await.end(c).reason());
            SupervisedFamily.awaitTurn(supervisor);
            assertEquals(List.of("a", "b", "c"), supervisor.children()); // they will be started again
            supervisor.close();
        }
    }

    @AllStrategies(direct = true)
    void aChildStoppedByItsUserDuringThePauseIsStartedAgainAfterIt(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        Duration pause = Duration.ofMillis(20);
        var supervisor = supervisor(SupervisorSpec.oneForOne().backoff(pause, pause), LONG, family);
        var c = SupervisedFamily.child(supervisor, "c");
        c.tell(failure);
        c.stop();
        Await.end(c);
        Await.until(
                "another c",
                () -> supervisor.child("c").filter(other -> !other.equals(c)).isPresent());
        assertEquals(1, Await.value(SupervisedFamily.child(supervisor, "c").ask("x")));
        assertNotSame(c, SupervisedFamily.child(supervisor, "c"));
    }

    @AllStrategies(direct = true)
    void aTransientChildStoppedDuringThePauseIsStartedWithTheOthers(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForAll()
                        .backoff(LONG, LONG)
                        .child("a", Restart.TRANSIENT, family.lasting("a"))
                        .child("b", Restart.TRANSIENT, family.lasting("b")));
        SupervisedFamily.child(supervisor, "b").tell(failure);
        var a = SupervisedFamily.child(supervisor, "a");
        ActorStates.awaitPause(a);
        a.stop();
        Await.end(a);
        SupervisedFamily.awaitTurn(supervisor);
        assertEquals(List.of("a", "b"), supervisor.children());
    }

    /** The supervisor may be notified of the failure, and stop everything, before the child has begun its pause. */
    @Test
    void aSupervisorThatGivesUpAtOnceDoesNotMissAPause() {
        failure.setStackTrace(new StackTraceElement[0]); // its logs would take most of the time
        for (int i = 0; i < 500; i++) {
            var family = new SupervisedFamily(i % 2 == 0 ? ThreadStrategy.virtual() : ThreadStrategy.platform());
            var supervisor = supervisor(SupervisorSpec.oneForAll().limit(0, LONG), LONG, family);
            var c = SupervisedFamily.child(supervisor, "c");
            c.tell(failure);
            var lost = c.ask("x");
            assertSame(failure, Await.end(supervisor).cause());
            assertSame(failure, Await.end(c).cause());
            assertSame(failure, Await.failure(lost).getCause());
        }
    }
}
