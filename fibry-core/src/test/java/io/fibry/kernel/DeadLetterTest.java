package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorBuilder;
import io.fibry.ActorStoppedException;
import io.fibry.DeadLetter;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Messages that are not handled: their dead-letter handlers and log lines. */
class DeadLetterTest extends KernelTest {

    private final List<DeadLetter> dead = Collections.synchronizedList(new ArrayList<>());

    private record Secret(String payload) {}

    private ReplyActor<Object, Object> atGate(ActorBuilder<Object> builder, Gate gate) {
        ReplyActor<Object, Object> actor = builder.newActorWithReturn((Object message) -> {
            if (message.equals("wait")) {
                gate.pass();
            } else if (message.equals("fail")) {
                gate.pass();
                throw new IllegalStateException("thrown on purpose");
            }
            return message;
        });
        return actor;
    }

    @AllStrategies
    void theHandlerGetsEveryDeadLetterOnceAndInOrder(ThreadStrategy strategy) {
        for (StopMode mode : List.of(StopMode.DISCARD, StopMode.INTERRUPT)) {
            dead.clear();
            system.onDeadLetter(dead::add);
            var gate = new Gate();
            var actor = atGate(actor(strategy), gate);
            actor.tell("wait");
            gate.awaitReached();
            Runnable task = () -> {};
            actor.tell(1);
            var asked = actor.ask(2);
            actor.execute(task);
            actor.stop(mode);
            gate.open();
            assertEquals(3, Await.end(actor).discarded());
            assertEquals(
                    List.of(1, 2, task), dead.stream().map(DeadLetter::message).toList());
            for (DeadLetter letter : dead) {
                assertSame(actor, letter.actor());
                assertEquals(DeadLetter.Reason.STOPPED, letter.reason());
            }
            assertInstanceOf(ActorStoppedException.class, Await.failure(asked));
        }
    }

    @AllStrategies
    void aFailureIsADifferentReason(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            system.onDeadLetter(dead::add);
            var gate = new Gate();
            var actor = atGate(actor(strategy).supervision(Supervision.stop()), gate);
            actor.tell("fail");
            gate.awaitReached();
            actor.tell("left");
            gate.open();
            Await.end(actor);
            assertEquals(List.of(new DeadLetter(actor, "left", DeadLetter.Reason.FAILED)), dead);
            assertEquals(1, log.with("ERROR").size(), log::text);
            assertEquals(0, log.with("WARN").size(), log::text); // the handler gets it instead
        }
    }

    @AllStrategies
    void aDrainAndARefusalLeaveNoDeadLetters(ThreadStrategy strategy) {
        system.onDeadLetter(dead::add);
        var gate = new Gate();
        var actor = atGate(actor(strategy), gate);
        actor.tell("wait");
        gate.awaitReached();
        actor.tell(1);
        actor.stop();
        assertThrows(ActorStoppedException.class, () -> actor.tell(2));
        gate.open();
        Await.end(actor);
        assertEquals(List.of(), dead);
    }

    @AllStrategies
    void theLogHasALineWithNameTypeAndReasonAndNotTheMessage(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var gate = new Gate();
            var actor = atGate(system.actor("clerk").strategy(strategy), gate);
            actor.tell("wait");
            gate.awaitReached();
            for (int i = 0; i < 10_000; i++) {
                actor.tell(new Secret("the payload"));
            }
            actor.stop(StopMode.DISCARD);
            gate.open();
            assertEquals(10_000, Await.end(actor).discarded());
            var lines = log.with("WARN", "clerk", Secret.class.getName(), "STOPPED");
            assertTrue(!lines.isEmpty() && lines.size() < 100, lines::toString); // one line per second
            assertEquals(0, log.with("payload").size(), log::text);
        }
    }

    @Test
    void unloggedDeadLettersAreCountedInTheNextLine() {
        var ends = new MessageCounts();
        var actor = system.actor("clerk").newSink(null);
        try (var log = new LogLines()) {
            for (int i = 0; i < 50; i++) {
                ends.deadLetter(actor, "a message", DeadLetter.Reason.STOPPED);
            }
            int first = log.with("WARN", "clerk").size(); // one, except on a suspended machine
            Await.until("the next second", () -> {
                ends.deadLetter(actor, "a message", DeadLetter.Reason.STOPPED);
                return log.with("WARN", "clerk").size() > first;
            });
            int counted = log.with("WARN", "clerk").stream()
                    .mapToInt(line -> Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
            assertEquals(ends.counters(count -> {}).dead(), counted, log::text);
        }
    }

    @AllStrategies
    void anExceptionOfAHandlerIsLoggedAndOtherHandlersAreCalled(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var told = new AtomicInteger();
            system.onDeadLetter(letter -> {
                told.incrementAndGet();
                throw new IllegalStateException("thrown on purpose");
            });
            var gate = new Gate();
            var actor = atGate(system.actor("clerk").strategy(strategy), gate);
            actor.tell("wait");
            gate.awaitReached();
            var asked = actor.ask(1);
            actor.tell(2);
            actor.stop(StopMode.DISCARD);
            gate.open();
            assertEquals(2, Await.end(actor).discarded());
            assertEquals(2, told.get());
            assertInstanceOf(ActorStoppedException.class, Await.failure(asked));
            assertEquals(2, log.with("ERROR", "clerk", "dead-letter handler").size(), log::text);
        }
    }

    @Test
    void aNullHandlerIsRefused() {
        assertThrows(NullPointerException.class, () -> system.onDeadLetter(null));
    }
}
