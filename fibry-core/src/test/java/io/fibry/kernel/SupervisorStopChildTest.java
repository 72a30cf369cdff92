package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.StopMode;
import io.fibry.Supervisor;
import io.fibry.SupervisorSpec;
import io.fibry.SupervisorSpec.Restart;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.CountingBehavior;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.SupervisedFamily;
import io.fibry.testing.UninterruptibleGate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Children that are stopped by their name: they are not restarted, whatever is in progress. */
class SupervisorStopChildTest extends KernelTest {

    private static final Duration LONG = Duration.ofDays(1);
    private final RuntimeException failure = new IllegalStateException("meant to fail");

    private Supervisor withThree(SupervisorSpec spec, SupervisedFamily family) {
        return system.actor()
                .newSupervisor(spec.child("a", Restart.PERMANENT, LONG, family.lasting("a"))
                        .child("b", Restart.PERMANENT, LONG, family.mortal("b"))
                        .child("c", Restart.PERMANENT, LONG, family.lasting("c")));
    }

    @AllStrategies(direct = true)
    void aStoppedChildHasEndedAndItsNameIsFree(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = withThree(SupervisorSpec.oneForOne(), family);
        for (String name : List.of("a", "b")) {
            var child = SupervisedFamily.child(supervisor, name);
            var accepted = child.ask("x");
            assertTrue(Await.value(supervisor.stop(name)));
            assertEquals(1, Await.value(accepted)); // it has drained
            assertTrue(child.exit().isDone() && Await.end(child).isNormal());
            assertTrue(system.find(name).isEmpty());
            assertTrue(supervisor.child(name).isEmpty());
            assertFalse(Await.value(supervisor.stop(name)));
        }
        SupervisedFamily.awaitTurn(supervisor);
        assertEquals(List.of("c"), supervisor.children());
        assertEquals(List.of("end a", "end b"), family.events.subList(3, family.events.size()));
        Await.value(supervisor.start("a", Restart.PERMANENT, family.lasting("a")));
        assertEquals(List.of("c", "a"), supervisor.children());
    }

    /** The interrupt ends the supervisor's wait, not its child. */
    @AllStrategies
    void anInterruptedSupervisorDoesNotReportTheEndOfARunningChild(ThreadStrategy strategy) {
        var supervisor = withThree(SupervisorSpec.oneForOne(), new SupervisedFamily(strategy));
        var child = SupervisedFamily.child(supervisor, "a");
        var uninterruptible = new UninterruptibleGate();
        child.tell((Runnable) uninterruptible::pass);
        uninterruptible.awaitReached();
        var stopped = supervisor.stop("a");
        ActorStates.awaitStopped(child, StopMode.DRAIN);
        supervisor.stop(StopMode.INTERRUPT);
        assertInstanceOf(ActorStoppedException.class, Await.failure(stopped));
        assertFalse(child.exit().isDone());
        uninterruptible.open();
        Await.end(supervisor);
        assertTrue(child.exit().isDone());
    }

    @AllStrategies(direct = true)
    void anUnknownNameIsNotAFailure(ThreadStrategy strategy) {
        var supervisor = withThree(SupervisorSpec.oneForOne(), new SupervisedFamily(strategy));
        assertFalse(Await.value(supervisor.stop("d")));
        assertEquals(List.of("a", "b", "c"), supervisor.children());
    }

    @AllStrategies(direct = true)
    void aChildWaitingForItsRestartIsNotRestarted(ThreadStrategy strategy) {
        for (String name : List.of("a", "b")) {
            var family = new SupervisedFamily(strategy);
            var supervisor = withThree(SupervisorSpec.oneForOne().backoff(LONG, LONG), family);
            var child = SupervisedFamily.child(supervisor, name);
            child.tell(failure);
            if (name.equals("a")) {
                ActorStates.awaitPause(child);
            } else {
                Await.end(child);
            }
            SupervisedFamily.awaitTurn(supervisor);
            assertEquals(List.of("a", "b", "c"), supervisor.children());
            assertTrue(Await.value(supervisor.stop(name)));
            Await.end(child);
            assertFalse(supervisor.children().contains(name));
            assertEquals(1, family.begun(name));
            supervisor.close();
        }
    }

    /** The restart of the others completes without it. */
    @AllStrategies(direct = true)
    void theOtherChildrenAreRestartedWithoutTheStoppedOne(ThreadStrategy strategy) {
        for (String name : List.of("a", "b")) {
            for (boolean tried = false; !tried; ) {
                tried = restartWithout(name, new SupervisedFamily(strategy));
            }
        }
    }

    /** False if the restart preceded the stop. */
    private boolean restartWithout(String name, SupervisedFamily family) {
        var supervisor =
                withThree(SupervisorSpec.oneForAll().backoff(Duration.ofMillis(200), Duration.ofMillis(400)), family);
        var c = SupervisedFamily.child(supervisor, "c");
        c.tell(failure);
        Await.until(
                "c pauses, or its pause is over",
                () -> ActorCell.of(c).lifecycle().pause().isPaused() || family.begun("c") > 1);
        assertTrue(Await.value(supervisor.stop(name)));
        boolean tried = family.begun("c") == 1;
        family.awaitBegun("c", 2);
        SupervisedFamily.awaitTurn(supervisor);
        assertFalse(supervisor.children().contains(name));
        assertTrue(system.find(name).isEmpty());
        assertTrue(!tried || family.begun(name) == 1);
        supervisor.close();
        return tried;
    }

    /** Its start has just failed once more when it is stopped: only the other children are restarted. */
    @AllStrategies
    void aChildWhoseRestartFailsIsNotRestarted(ThreadStrategy strategy) {
        var specs = List.of(SupervisorSpec.oneForOne(), SupervisorSpec.restForOne(), SupervisorSpec.oneForAll());
        for (SupervisorSpec spec : specs) {
            var family = new SupervisedFamily(strategy);
            var starts = new AtomicInteger();
            var gate = new Gate();
            var supervisor = system.actor().newSupervisor(spec.limit(10, LONG));
            Await.value(supervisor.start("a", Restart.PERMANENT, family.mortal("a")));
            var child = Await.value(supervisor.start("b", Restart.PERMANENT, builder -> {
                if (starts.incrementAndGet() == 2) {
                    gate.pass();
                    throw failure;
                }
                return family.mortal("b").apply(builder);
            }));
            Await.value(supervisor.start("c", Restart.PERMANENT, family.lasting("c")));
            Await.value(supervisor.start("d", Restart.PERMANENT, family.mortal("d")));
            child.stop();
            gate.awaitReached();
            var stopped = supervisor.stop("b");
            gate.open();
            assertTrue(Await.value(stopped));
            SupervisedFamily.awaitTurn(supervisor);
            SupervisedFamily.awaitTurn(supervisor);
            assertEquals(List.of("a", "c", "d"), supervisor.children());
            assertEquals(2, starts.get());
            assertTrue(system.find("b").isEmpty());
            assertEquals(spec.equals(specs.getFirst()) ? 1 : 2, family.begun("c"));
            for (String name : supervisor.children()) {
                assertEquals(
                        1, Await.value(SupervisedFamily.child(supervisor, name).ask("x")));
            }
            supervisor.close();
        }
    }

    @AllStrategies
    void aSiblingCanStopAChild(ThreadStrategy strategy) {
        var supervisor = withThree(SupervisorSpec.oneForOne(), new SupervisedFamily(strategy));
        var stopped = new CompletableFuture<Boolean>();
        Runnable stop = () -> stopped.complete(Await.value(supervisor.stop("a")));
        SupervisedFamily.child(supervisor, "b").tell(stop);
        assertTrue(Await.value(stopped));
        assertEquals(List.of("b", "c"), supervisor.children());
    }

    @AllStrategies
    void aChildCanRequestItsOwnStop(ThreadStrategy strategy) {
        var supervisor = withThree(SupervisorSpec.oneForOne(), new SupervisedFamily(strategy));
        var stopped = new CompletableFuture<CompletableFuture<Boolean>>();
        Runnable stop = () -> stopped.complete(supervisor.stop("a"));
        SupervisedFamily.child(supervisor, "a").tell(stop);
        assertTrue(Await.value(Await.value(stopped)));
        assertEquals(List.of("b", "c"), supervisor.children());
    }

    @AllStrategies
    void aChildIsInterruptedAfterItsShutdownTime(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = system.actor().newSupervisor(SupervisorSpec.oneForOne());
        for (Duration stopTimeout : List.of(Duration.ZERO, Duration.ofMillis(1))) {
            Await.value(supervisor.start("a", Restart.PERMANENT, stopTimeout, family.lasting("a")));
            var child = SupervisedFamily.child(supervisor, "a");
            var gate = new Gate();
            child.tell(gate);
            gate.awaitReached();
            assertTrue(Await.value(supervisor.stop("a")));
            assertTrue(gate.wasInterrupted());
            assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(child).reason());
        }
    }

    @AllStrategies
    void theStopOfTheSupervisorEndsTheWait(ThreadStrategy strategy) {
        var family = new SupervisedFamily(strategy);
        var supervisor = withThree(SupervisorSpec.oneForOne(), family);
        var gate = new Gate();
        SupervisedFamily.child(supervisor, "a").tell(gate);
        gate.awaitReached();
        var stopped = supervisor.stop("a");
        ActorStates.awaitStopped(SupervisedFamily.child(supervisor, "a"), StopMode.DRAIN);
        supervisor.stop(StopMode.INTERRUPT);
        Await.end(supervisor);
        assertTrue(gate.wasInterrupted());
        assertTrue(stopped.isDone());
    }

    /** Every message has one end, also messages to children that start and end. */
    @Test
    void theCountersStayExact() {
        var supervisor = system.actor().newSupervisor(SupervisorSpec.oneForOne().limit(10_000, LONG));
        var before = system.stats();
        int sent = 0;
        int commands = 0;
        for (int i = 0; i < 100; i++) {
            Actor<Object> child = Await.value(supervisor.start(
                    "a", Restart.TRANSIENT, builder -> builder.newActorFrom(context -> CountingBehavior::act)));
            for (int n = 0; n < 20; n++) {
                sent += accepted(child, n == 10 && i % 2 == 0 ? failure : "x");
            }
            assertTrue(Await.value(supervisor.stop("a")));
            sent += accepted(child, "too late");
            commands += 2;
        }
        long told = before.sent() + sent + commands;
        assertEquals(List.of(), supervisor.children());
        // A turn counts its messages when it ends, a moment after the replies.
        Await.until("all are counted", () -> system.stats().sent() >= told);
        assertEquals(told, system.stats().sent());
    }

    /** One message; the counters include it even if it is refused. */
    private static int accepted(Actor<Object> child, Object message) {
        try {
            child.tell(message);
        } catch (ActorStoppedException e) {
            assertTrue(child.exit().isDone());
        }
        return 1;
    }
}
