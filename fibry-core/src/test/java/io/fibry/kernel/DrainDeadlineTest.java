package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.StopPhase;
import io.fibry.SupervisorSpec;
import io.fibry.SupervisorSpec.Restart;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** No step of a stop waits for a timer that is due after the deadline of the step. */
class DrainDeadlineTest extends KernelTest {

    private static final Duration LONG = Duration.ofDays(4);

    private final List<String> dead = new CopyOnWriteArrayList<>();

    DrainDeadlineTest() {
        system.onDeadLetter(letter -> dead.add(letter.message() + " " + letter.reason()));
    }

    /** An actor that starts a timer when it starts. */
    private static Actor<String> late(ActorBuilder<Object> builder, Duration delay) {
        return builder.newActorFrom(context -> {
            context.after(delay, "late");
            return message -> {};
        });
    }

    private static void awaitTimer(Actor<?> actor) {
        var idle = new CompletableFuture<Boolean>();
        actor.execute(() -> idle.complete(true));
        Await.value(idle);
    }

    private boolean close(Duration deadline) {
        return Await.value(CompletableFuture.supplyAsync(() -> system.close(deadline), Thread::startVirtualThread));
    }

    @AllStrategies(direct = true)
    void theCloseOfASystemDoesNotWaitForALateTimerOfAServerOrASchedule(ThreadStrategy strategy) {
        for (StopPhase phase : List.of(StopPhase.SERVERS, StopPhase.SCHEDULES)) {
            awaitTimer(late(actor(strategy).stopPhase(phase), LONG));
        }
        assertTrue(close(LONG.dividedBy(2)));
        assertEquals(List.of("late STOPPED", "late STOPPED"), dead);
    }

    /** Servers are stopped harder after half of the time. */
    @AllStrategies(direct = true)
    void theCloseOfASystemDoesNotWaitForATimerOfAServerDueAfterTheTimeOfTheServers(ThreadStrategy strategy) {
        Actor<String> server = late(actor(strategy).stopPhase(StopPhase.SERVERS), LONG);
        awaitTimer(server);
        assertTrue(close(LONG.dividedBy(2).multipliedBy(3)));
        assertTrue(server.exit().join().isNormal());
        assertEquals(List.of("late STOPPED"), dead);
    }

    @AllStrategies(direct = true)
    void theCloseOfASystemDoesNotWaitForALateTimerOfAnActorThatAServerWaitsFor(ThreadStrategy strategy) {
        Actor<String> other = late(actor(strategy), LONG);
        awaitTimer(other);
        var server = system.actor()
                .strategy(strategy)
                .stopPhase(StopPhase.SERVERS)
                .onStop(exit -> {
                    other.stop();
                    other.waitForExit();
                })
                .newSink(null);
        assertTrue(close(LONG.dividedBy(2)));
        assertTrue(server.exit().join().isNormal());
        assertEquals(List.of("late STOPPED"), dead);
    }

    @AllStrategies(direct = true)
    void aSupervisorDoesNotWaitForATimerOfAChildDueAfterItsStopTimeout(ThreadStrategy strategy) {
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForOne()
                        .child(
                                "child",
                                Restart.PERMANENT,
                                LONG.dividedBy(2),
                                builder -> late(builder.strategy(strategy), LONG)));
        Actor<?> child = supervisor.child("child").orElseThrow();
        awaitTimer(child);
        supervisor.stop();
        assertTrue(Await.end(child).isNormal());
        assertTrue(Await.end(supervisor).isNormal());
        assertEquals(List.of("late STOPPED"), dead);
    }
}
