package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorBuilder;
import io.fibry.ActorExit;
import io.fibry.ActorInterruptedException;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.InContext;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** {@code receive} inside a behavior, on every kind of mailbox. */
class SelectiveReceiveTest extends KernelTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(1);

    private final List<Object> handled = Collections.synchronizedList(new ArrayList<>());

    /** The thread that is about to wait. */
    private final AtomicReference<Thread> receiver = new AtomicReference<>();

    /** Records its messages; at 0, it passes a gate, and then receives the first one above 100. */
    private ReplyActor<Integer, Integer> actor(ActorBuilder<Object> builder, Gate gate, Duration timeout) {
        return builder.newActorWithReturnFrom(context -> n -> {
            handled.add(n);
            if (n == 0) {
                gate.pass();
                receiver.set(Thread.currentThread());
                try {
                    handled.add(context.receive(m -> m > 100, timeout));
                } finally {
                    receiver.set(null);
                }
            }
            return n;
        });
    }

    /** The same, at its gate. */
    private ReplyActor<Integer, Integer> atGate(ActorBuilder<Object> builder, Gate gate, Duration timeout) {
        handled.clear();
        var actor = actor(builder, gate, timeout);
        actor.tell(0);
        gate.awaitReached();
        return actor;
    }

    private void awaitReceiver() {
        Await.until("the behavior waits", () -> {
            Thread t = receiver.get();
            return t != null && t.getState() != Thread.State.RUNNABLE && t.getState() != Thread.State.BLOCKED;
        });
    }

    @AllStrategies
    void theFirstMatchIsReceivedAndTheOthersKeepTheirOrder(ThreadStrategy strategy) {
        for (var mailbox : mailboxes()) {
            var gate = new Gate();
            var actor = atGate(mailbox.apply(actor(strategy)), gate, LONG);
            for (int n = 1; n <= 102; n++) {
                actor.tell(n);
            }
            gate.open();
            actor.close();
            List<Object> expected = new ArrayList<>(List.of(0, Optional.of(101)));
            for (int n = 1; n <= 100; n++) {
                expected.add(n);
            }
            expected.add(102);
            assertEquals(expected, handled);
            assertEquals(103, Await.end(actor).handled());
        }
    }

    @AllStrategies
    void aMatchInTheSameBatchIsFound(ThreadStrategy strategy) {
        var first = new Gate();
        var second = new Gate();
        var actor = actor(actor(strategy), second, LONG);
        actor.execute(first::pass);
        first.awaitReached();
        for (int n : new int[] {1, 0, 2, 101, 3}) {
            actor.tell(n);
        }
        first.open();
        second.open();
        actor.close();
        assertEquals(List.of(1, 0, Optional.of(101), 2, 3), handled);
    }

    @AllStrategies
    void receiveWaitsForAMatch(ThreadStrategy strategy) {
        for (var mailbox : mailboxes()) {
            handled.clear();
            var gate = new Gate();
            gate.open();
            var actor = actor(mailbox.apply(actor(strategy)), gate, LONG);
            actor.tell(0);
            awaitReceiver();
            actor.tell(1);
            actor.tell(2);
            awaitReceiver();
            actor.tell(101);
            Await.until("it has received", () -> receiver.get() == null);
            actor.tell(3);
            actor.close();
            assertEquals(List.of(0, Optional.of(101), 1, 2, 3), handled);
        }
    }

    @AllStrategies
    void afterTheTimeoutTheRestIsHandled(ThreadStrategy strategy) {
        for (var mailbox : mailboxes()) {
            var gate = new Gate();
            var actor = atGate(mailbox.apply(actor(strategy)), gate, SHORT);
            actor.tell(1);
            actor.tell(2);
            gate.open();
            assertEquals(3, Await.value(actor.ask(3)));
            assertEquals(List.of(0, Optional.empty(), 1, 2, 3), handled);
            actor.close();
        }
    }

    @AllStrategies
    void aWaitingMatchIsFoundWithATimeoutOfZero(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = atGate(actor(strategy), gate, Duration.ZERO);
        actor.tell(1);
        actor.tell(101);
        gate.open();
        actor.close();
        assertEquals(List.of(0, Optional.of(101), 1), handled);
    }

    @AllStrategies
    void asksAndTasksAreLeftWhereTheyAre(ThreadStrategy strategy) {
        for (var mailbox : mailboxes()) {
            var gate = new Gate();
            var actor = atGate(mailbox.apply(actor(strategy)), gate, LONG);
            actor.execute(() -> handled.add("task"));
            var asked = actor.ask(101);
            actor.tell(102);
            gate.open();
            assertEquals(101, Await.value(asked));
            assertEquals(List.of(0, Optional.of(102), "task", 101), handled);
            actor.close();
        }
    }

    @AllStrategies
    void timersAndWatchesWaitUntilTheBehaviorIsDone(ThreadStrategy strategy) {
        var target = actor(strategy).newSink(null);
        var actor = InContext.actor(actor(strategy));
        InContext.Code last = context -> handled.add("never");
        actor.tell(context -> {
            context.after(Duration.ZERO, c -> handled.add("tick"));
            Await.until("the tick waits", () -> ActorCell.of(actor).newest() != null);
            context.watch(target, exit -> handled.add("end"));
            ActorCell.of(target)
                    .lifecycle()
                    .watchers()
                    .add(exit -> actor.tell(last)); // is notified of the end after the actor
            target.stop();
            assertTrue(context.receive(last::equals, LONG).isPresent());
            handled.add("received");
        });
        Await.until("all came", () -> handled.size() == 3);
        assertEquals(List.of("received", "tick", "end"), handled);
        actor.close();
    }

    @AllStrategies
    void everyStopWakesAWaitingReceive(ThreadStrategy strategy) {
        for (var mailbox : mailboxes()) {
            for (StopMode mode : StopMode.values()) {
                handled.clear();
                var gate = new Gate();
                gate.open();
                var actor = actor(mailbox.apply(actor(strategy)), gate, LONG);
                var asked = actor.ask(0);
                awaitReceiver();
                actor.stop(mode);
                ActorExit exit = Await.end(actor);
                if (mode == StopMode.INTERRUPT) {
                    assertEquals(ActorExit.Reason.INTERRUPTED, exit.reason());
                    assertInstanceOf(ActorInterruptedException.class, Await.failure(asked));
                    assertFalse(exit.stuckAt().isEmpty());
                } else {
                    assertEquals(0, Await.value(asked));
                    assertEquals(List.of(0, Optional.empty()), handled);
                }
            }
        }
    }

    @AllStrategies
    void aDrainHandlesMessagesThatDoNotMatch(ThreadStrategy strategy) {
        for (var mailbox : mailboxes()) {
            var gate = new Gate();
            var actor = atGate(mailbox.apply(actor(strategy)), gate, LONG);
            actor.tell(1);
            actor.tell(2);
            gate.open();
            awaitReceiver();
            actor.close();
            assertEquals(List.of(0, Optional.empty(), 1, 2), handled);
        }
    }

    @AllStrategies
    void anExceptionOfThePredicateFailsTheBehaviorAndLosesNoMessage(ThreadStrategy strategy) {
        for (var mailbox : mailboxes()) {
            handled.clear();
            var gate = new Gate();
            var actor = mailbox.apply(actor(strategy)).<Integer, Integer>newActorWithReturnFrom(context -> n -> {
                handled.add(n);
                if (n == 0) {
                    gate.pass();
                    assertThrows(ArithmeticException.class, () -> context.receive(m -> 1 / (m - 2) > 100, LONG));
                }
                return n;
            });
            var asked = actor.ask(0);
            gate.awaitReached();
            actor.tell(1);
            actor.tell(2);
            actor.tell(3);
            gate.open();
            actor.close();
            assertEquals(0, Await.value(asked));
            assertEquals(List.of(0, 1, 2, 3), handled);
        }
    }

    @AllStrategies
    void aReceiveAdmitsASenderWaitingForRoom(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = atGate(actor(strategy).bounded(1, Overflow.BLOCK), gate, LONG);
        actor.tell(101);
        var sender = Thread.startVirtualThread(() -> actor.tell(1));
        Await.untilBlocked(sender);
        gate.open();
        Await.thread(sender);
        actor.close();
        assertEquals(List.of(0, Optional.of(101), 1), handled);
    }

    @Test
    void callsOutsideOfTheBehaviorAreRefused() {
        var actor = InContext.actor(system.actor());
        var context = InContext.of(actor);
        assertThrows(IllegalStateException.class, () -> context.receive(m -> true, LONG));
        var other = InContext.actor(system.actor());
        var refused = new CompletableFuture<Exception>();
        InContext.run(
                other,
                c -> refused.complete(
                        assertThrows(IllegalStateException.class, () -> context.receive(m -> true, LONG))));
        assertTrue(Await.value(refused).getMessage().contains(actor.name()));
        InContext.run(actor, c -> {
            assertThrows(NullPointerException.class, () -> c.receive(null, LONG));
            assertThrows(NullPointerException.class, () -> c.receive(m -> true, null));
        });
    }
}
