package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.FlightTape;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Provokes each event of Flight Recorder.
 *
 * <p>Seen to fail: each test without the call of {@code JfrEvents} that records its event, and the stashed message with
 * a copy that keeps its wait.
 */
class FlightEventsTest extends KernelTest {

    private final FlightTape tape = new FlightTape();

    @AfterEach
    void endRecording() {
        tape.close();
    }

    @AllStrategies
    void aMessageThatWaits(ThreadStrategy strategy) throws Exception {
        var gate = new Gate();
        var actor = system.actor("queue").strategy(strategy).newActor((Integer n) -> gate.pass());
        long begin = System.nanoTime();
        actor.tell(1);
        gate.awaitReached();
        actor.tell(2);
        actor.execute(() -> {});
        long sent = System.nanoTime();
        gate.open();
        end(actor);
        var waits = tape.events("MessageWait", "queue");
        assertEquals(List.of("tell", "tell", "task"), texts(waits, "kind"));
        assertEquals(
                Integer.class.getName(), waits.get(1).getClass("messageType").getName());
        assertTrue(waits.get(1).getDuration().toNanos() <= System.nanoTime() - begin);
        assertTrue(waits.get(1).getDuration().toNanos() >= 0 && sent > begin);
    }

    /** The wait of a message includes the time that its sender waits for room. */
    @Test
    void theQueueTimeIncludesTheWaitForRoom() throws Exception {
        var gate = new Gate();
        var actor = system.actor("full").bounded(1, Overflow.BLOCK).newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        actor.tell(2);
        var sender = Thread.ofVirtual().start(() -> actor.tell(3));
        Await.until("the sender waits", () -> sender.getState() == Thread.State.WAITING);
        gate.open();
        Await.thread(sender);
        end(actor);
        var overflow = tape.events("MailboxOverflow", "full").getFirst();
        var wait = tape.events("MessageWait", "full").getLast();
        assertEquals("WAITED", overflow.getString("outcome"));
        assertEquals(1, overflow.getInt("capacity"));
        assertFalse(wait.getStartTime().isAfter(overflow.getStartTime()), wait + " " + overflow);
    }

    @AllStrategies
    void aMessageThatRuns(ThreadStrategy strategy) throws Exception {
        var actor = system.actor("runner").strategy(strategy).newActorWithReturn((String s) -> s.length());
        assertEquals(3, Await.value(actor.ask("abc")));
        actor.tell("d");
        end(actor);
        var runs = tape.events("MessageRun", "runner");
        assertEquals(List.of("ask", "tell"), texts(runs, "kind").subList(0, 2));
        assertEquals(
                String.class.getName(), runs.getFirst().getClass("messageType").getName());
    }

    /** Each wait counts once: the second one begins when the message is stashed. */
    @Test
    void aStashedMessageWaitsTwice() throws Exception {
        var opened = new AtomicBoolean();
        Actor<String> actor = system.actor("stash").newActorFrom(context -> message -> {
            if (message.equals("open")) {
                opened.set(true);
                context.unstashAll();
            } else if (!opened.get()) {
                context.stash();
            }
        });
        actor.tell("early");
        actor.tell("open");
        end(actor);
        var waits = tape.events("MessageWait", "stash");
        assertEquals(3, waits.size());
        assertFalse(waits.get(2).getStartTime().isBefore(waits.get(0).getEndTime()), waits::toString);
    }

    @Test
    void anAskAndItsAsker() throws Exception {
        var replier = system.actor("replier").newActorWithReturn((Integer n) -> 10 / n);
        var asker = system.actor("asker").newActorWithReturn((Integer n) -> replier.call(n));
        assertEquals(5, Await.value(asker.ask(2)));
        Await.failure(replier.ask(0));
        var gate = new Gate();
        asker.execute(gate::pass);
        assertThrows(AskTimeoutException.class, () -> asker.call(1, Duration.ofMillis(1)));
        gate.open();
        end(asker);
        end(replier);
        var asks = tape.events("Ask", "replier");
        assertEquals("asker", asks.getFirst().getString("asker"));
        assertNull(asks.getFirst().getClass("failure"));
        var failed = asks.stream().filter(e -> e.getClass("failure") != null).findFirst();
        assertEquals(
                ArithmeticException.class.getName(),
                failed.orElseThrow().getClass("failure").getName());
        assertNull(failed.orElseThrow().getString("asker"));
        assertEquals(
                Thread.currentThread().threadId(),
                failed.orElseThrow().getThread("askingThread").getJavaThreadId());
        var timedOut = tape.events("Ask", "asker").stream()
                .filter(e -> e.getClass("failure") != null)
                .findFirst();
        assertEquals(
                AskTimeoutException.class.getName(),
                timedOut.orElseThrow().getClass("failure").getName());
    }

    @Test
    void aMessageForAnActorThatIsExpected() throws Exception {
        Actor<ReplyTo<String>> expected = system.findOrExpect("late", 10);
        var asked = expected.<String>ask(to -> to, Await.LIMIT);
        var actor = system.actor("late").newActor((ReplyTo<String> to) -> to.reply("here"));
        assertEquals("here", Await.value(asked));
        end(actor);
        assertEquals(1, tape.events("Ask", "late").size());
        assertEquals(List.of("ask"), texts(tape.events("MessageWait", "late"), "kind"));
    }

    @Test
    void aFullMailbox() throws Exception {
        for (Overflow overflow : List.of(Overflow.FAIL, Overflow.DROP_NEWEST, Overflow.DROP_OLDEST)) {
            var gate = new Gate();
            var actor = system.actor(overflow.name()).bounded(1, overflow).newActor((Integer n) -> gate.pass());
            actor.tell(1);
            gate.awaitReached();
            actor.tell(2);
            if (overflow == Overflow.FAIL) {
                assertThrows(MailboxFullException.class, () -> actor.tell(3));
                assertFalse(actor.tryTell(4));
            } else {
                actor.tell(3);
            }
            gate.open();
            end(actor);
        }
        assertEquals(List.of("REFUSED", "REFUSED"), texts(tape.events("MailboxOverflow", "FAIL"), "outcome"));
        assertEquals(List.of("DROPPED"), texts(tape.events("MailboxOverflow", "DROP_NEWEST"), "outcome"));
        var oldest = tape.events("MailboxOverflow", "DROP_OLDEST");
        assertEquals(List.of("DROPPED"), texts(oldest, "outcome"));
        assertTrue(has(oldest.getFirst(), "aFullMailbox"), oldest::toString);
    }

    @AllStrategies
    void aDeadLetterAStopAndAnEnd(ThreadStrategy strategy) throws Exception {
        var gate = new Gate();
        var actor = system.actor("stopped").strategy(strategy).newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        actor.tell(2);
        actor.stop();
        actor.stop(StopMode.DISCARD);
        gate.open();
        Await.end(actor);
        var letter = tape.events("DeadLetter", "stopped").getFirst();
        assertEquals("STOPPED", letter.getString("reason"));
        assertEquals(Integer.class.getName(), letter.getClass("messageType").getName());
        var stops = tape.events("ActorStop", "stopped");
        assertEquals(List.of("DRAIN", "DISCARD"), texts(stops, "mode"));
        assertTrue(has(stops.getFirst(), "aDeadLetterAStopAndAnEnd"), stops::toString);
        var end = tape.events("ActorEnd", "stopped").getFirst();
        assertEquals("NORMAL", end.getString("reason"));
        assertEquals(1, end.getLong("handled"));
        assertEquals(1, end.getLong("discarded"));
    }

    @AllStrategies
    void aFailureAndARestart(ThreadStrategy strategy) throws Exception {
        Actor<Integer> actor = system.actor("fragile")
                .strategy(strategy)
                .supervision(Supervision.restart())
                .newActorFrom(context -> n -> Objects.checkIndex(n, 10));
        actor.tell(11);
        end(actor);
        var failure = tape.events("ActorFailure", "fragile").getFirst();
        assertEquals(
                IndexOutOfBoundsException.class.getName(),
                failure.getClass("thrownClass").getName());
        assertTrue(failure.getString("thrownMessage").contains("11"), failure::toString);
        assertTrue(failure.getString("thrownAt").contains("FlightEventsTest"), failure::toString);
        assertEquals("RESTART", failure.getString("directive"));
        var restarts = tape.events("ActorRestart", "fragile");
        assertEquals(1, restarts.size());
        assertTrue(restarts.getFirst().getBoolean("succeeded"));
    }

    /** A supervisor restarts a child: with a new actor, since it has no factory, and in place, since it has one. */
    @Test
    void aRestartByASupervisor() throws Exception {
        var supervisor = system.actor("boss")
                .newSupervisor(SupervisorSpec.oneForOne()
                        .child(
                                "plain",
                                SupervisorSpec.Restart.PERMANENT,
                                actors -> actors.newActor((Integer n) -> Objects.checkIndex(n, 1)))
                        .child(
                                "made",
                                SupervisorSpec.Restart.PERMANENT,
                                actors -> actors.<Integer>newActorFrom(context -> n -> Objects.checkIndex(n, 1))));
        for (String child : List.of("plain", "made")) {
            @SuppressWarnings("unchecked")
            var actor = (Actor<Integer>) supervisor.child(child).orElseThrow();
            actor.tell(2);
            Await.until(
                    child + " is restarted",
                    () -> !events("ActorRestart", child).isEmpty());
        }
        assertEquals("ESCALATE", events("ActorFailure", "made").getFirst().getString("directive"));
        end(supervisor);
    }

    private List<RecordedEvent> events(String name, String actor) {
        try {
            return tape.events(name, actor);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean has(RecordedEvent event, String method) {
        return event.getStackTrace().getFrames().stream()
                .anyMatch(frame -> frame.getMethod().getName().equals(method));
    }

    private static List<String> texts(List<RecordedEvent> events, String field) {
        return events.stream().map(event -> event.getString(field)).toList();
    }

    private static void end(Actor<?> actor) {
        actor.stop();
        Await.end(actor);
    }
}
