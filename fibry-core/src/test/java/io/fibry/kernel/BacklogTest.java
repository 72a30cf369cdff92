package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.ContextCarrier;
import io.fibry.DeadLetter;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.SystemOptions;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Messages that wait behind a long one, in {@link MessageSegment segments}: every kind of message, and everything that
 * reads or changes the messages in hand.
 *
 * <p>Seen to fail: a discard or a search that takes a segment for a message; a stop that does not look into segments
 * (asks wait for the handler); a suspended handler that puts a segment back, and a turn that begins it as a message;
 * envelopes that are added to a segment while a context carrier is in use.
 */
class BacklogTest extends KernelTest {

    private static final int MESSAGES = 500; // several full segments, and one that is not

    private final Gate gate = new Gate();
    private final List<Object> handled = Collections.synchronizedList(new ArrayList<>());

    private Object record(Object message) {
        if (message == gate) {
            gate.pass();
        } else {
            handled.add(message);
        }
        return message;
    }

    private ReplyActor<Object, Object> atGate(
            ThreadStrategy strategy, Function<ActorContext<Object>, Function<Object, Object>> behavior) {
        ReplyActor<Object, Object> actor = actor(strategy)
                .supervision(Supervision.restart())
                .newActorWithReturnFrom(context -> behavior.apply(context)::apply);
        actor.tell(gate);
        gate.awaitReached();
        return actor;
    }

    private static long waiting(Actor<?> actor) {
        return ((ActorState<?>) Handles.unwrapped(actor)).progress().waiting();
    }

    private static List<Object> numbers(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(n -> (Object) n).toList();
    }

    private static void tell(Actor<Object> actor, int first, int last) {
        numbers(first, last).forEach(actor::tell);
        assertInstanceOf(MessageSegment.class, ((ActorState<?>) Handles.unwrapped(actor)).newest());
    }

    @AllStrategies
    void messagesOfEveryKindKeepTheirOrder(ThreadStrategy strategy) {
        var actor = atGate(strategy, context -> this::record);
        List<Object> sent = new ArrayList<>();
        List<CompletableFuture<Object>> asks = new ArrayList<>();
        for (int n = 0; n < MESSAGES; n++) {
            int number = n;
            sent.add(n);
            switch (n % 50) {
                case 10 -> asks.add(actor.ask(n));
                case 20 -> actor.execute(() -> handled.add(number));
                case 30 -> {
                    actor.tellAll(List.of(n, -n));
                    sent.add(-n);
                }
                default -> actor.tell(n);
            }
        }
        asks.add(actor.ask("last"));
        sent.add("last");
        gate.open();
        asks.forEach(Await::value);
        assertEquals(sent, handled);
    }

    @AllStrategies
    void onlyTheFirstMessagesOfABacklogHaveEnvelopes(ThreadStrategy strategy) {
        var actor = atGate(strategy, context -> this::record);
        numbers(1, MESSAGES).forEach(actor::tell);
        assertIsCompact(actor);
        gate.open();
    }

    /** The context carrier switches instrumentation on, for the messages to the actors of its system. */
    @AllStrategies
    void aContextCarrierOfAnotherSystemDoesNotChangeABacklog(ThreadStrategy strategy) {
        ActorSystem.create(SystemOptions.defaults().context(ContextCarrier.mdc()))
                .close();
        assertTrue(Instrumentation.areInUse());
        var actor = atGate(strategy, context -> this::record);
        numbers(1, MESSAGES).forEach(message -> assertTrue(actor.tryTell(message)));
        assertIsCompact(actor);
        gate.open();
    }

    private static void assertIsCompact(Actor<?> actor) {
        Envelope newest = ((ActorState<?>) Handles.unwrapped(actor)).newest();
        List<Integer> messages = new ArrayList<>(); // of each node, newest first
        for (Envelope node = newest; node != null; node = node.next) {
            messages.add(MessageSegment.messages(node));
        }
        assertEquals(List.of(57, 64, 64, 64, 64, 64, 64, 32, 16, 8, 1, 1, 1), messages);
        var envelopes = new ArrayList<>();
        MessageSegment.forEachEnvelope(newest, envelopes::add);
        assertEquals(3, envelopes.size());
    }

    @AllStrategies
    void theNumberOfWaitingMessagesIsExact(ThreadStrategy strategy) {
        var actor = atGate(strategy, context -> this::record);
        for (int n = 1; n <= MESSAGES; n++) {
            actor.tell(n);
            assertEquals(n, waiting(actor));
        }
        actor.stop(); // the accepted messages still wait
        assertEquals(MESSAGES, waiting(actor));
        gate.open();
        Await.end(actor);
        assertEquals(numbers(1, MESSAGES), handled);
    }

    @AllStrategies
    void aStopThatDiscardsFailsAsksAtOnceAndCountsTheRest(ThreadStrategy strategy) {
        List<Object> dead = Collections.synchronizedList(new ArrayList<>());
        system.onDeadLetter((DeadLetter letter) -> dead.add(letter.message()));
        var actor = atGate(strategy, context -> this::record);
        List<CompletableFuture<Object>> asks = new ArrayList<>();
        for (int n = 1; n <= MESSAGES; n++) {
            if (n % 10 == 0) {
                asks.add(actor.ask(n));
            } else {
                actor.tell(n);
            }
        }
        actor.stop(StopMode.DISCARD);
        asks.forEach(ask -> assertInstanceOf(ActorStoppedException.class, Await.failure(ask)));
        assertThrows(ActorStoppedException.class, () -> actor.tell("after the stop"));
        gate.open();
        Await.end(actor);
        assertEquals(List.of(), handled);
        assertEquals(numbers(1, MESSAGES), dead);
    }

    /** The first search takes messages from the stack; the second one finds them in hand. */
    @AllStrategies
    void receiveFindsMessagesFarBehind(ThreadStrategy strategy) {
        var actor = atGate(strategy, context -> message -> {
            record(message);
            if (message == gate) {
                handled.add(received(context, 400));
                handled.add(received(context, 200));
            }
            return message;
        });
        tell(actor, 1, MESSAGES);
        assertReceivedFirst(List.of(400, 200), actor);
    }

    /** Opens the gate, and checks that these messages are handled first, and the others in order. */
    private void assertReceivedFirst(List<Object> received, ReplyActor<Object, Object> actor) {
        gate.open();
        Await.value(actor.ask("last"));
        List<Object> expected = new ArrayList<>(numbers(1, MESSAGES));
        expected.removeAll(received);
        expected.addAll(0, received);
        expected.add("last");
        assertEquals(expected, handled);
    }

    private static Object received(ActorContext<Object> context, int number) {
        return context.receive(m -> m.equals(number), Duration.ofMinutes(1)).orElseThrow();
    }

    /** The unstashed message is the last one before a segment when it is received. */
    @AllStrategies
    void receiveTakesTheUnstashedMessageBeforeABacklog(ThreadStrategy strategy) {
        var stashed = new ArrayList<>();
        var actor = atGate(strategy, context -> message -> {
            if (message == gate || !stashed.isEmpty()) {
                return record(message);
            }
            stashed.add(message);
            context.stash();
            handled.add(received(context, 3)); // the next message is now the first of a segment
            context.unstashAll();
            handled.add(received(context, 1));
            context.unstashAll(); // has nothing to insert
            return message;
        });
        tell(actor, 1, MESSAGES);
        assertReceivedFirst(List.of(3, 1), actor);
    }

    @AllStrategies
    void aStopFailsAsksInTheSegmentBehindASuspendedHandler(ThreadStrategy strategy) {
        var suspended = new TestHandler("suspended", new ArrayList<>());
        var actor = atGate(strategy, context -> message -> {
            record(message);
            return message.equals(3) ? suspended.suspend() : message;
        });
        tell(actor, 1, 20); // the fourth is the first of a segment
        CompletableFuture<Object> ask = actor.ask("ask");
        gate.open();
        var state = (ActorState<?>) Handles.unwrapped(actor);
        Await.until("the actor is parked", () -> state.suspended() != null && state.runner() == null);
        actor.stop(StopMode.DISCARD);
        assertInstanceOf(ActorStoppedException.class, Await.failure(ask));
        suspended.finish("late");
        assertEquals(18, Await.end(actor).discarded());
        assertEquals(numbers(1, 3), handled);
    }

    @AllStrategies
    void stashedMessagesReturnBeforeTheBacklog(ThreadStrategy strategy) {
        var stashed = new ArrayList<>();
        var actor = atGate(strategy, context -> message -> {
            if (message instanceof Integer n && n % 100 == 0 && !stashed.contains(n)) {
                stashed.add(n);
                context.stash();
                return message;
            }
            if (message.equals(350)) {
                context.unstashAll();
            }
            return record(message);
        });
        tell(actor, 1, MESSAGES);
        gate.open();
        Await.value(actor.ask("after the backlog"));
        List<Object> expected = new ArrayList<>(numbers(1, MESSAGES - 1)); // the last one is stashed
        expected.removeAll(List.of(100, 200, 300, 400));
        expected.addAll(expected.indexOf(350) + 1, List.of(100, 200, 300));
        expected.add("after the backlog");
        assertEquals(expected, handled);
    }

    @AllStrategies
    void aRestartKeepsTheBacklog(ThreadStrategy strategy) {
        var actor = atGate(strategy, context -> message -> {
            if (message.equals("fail")) {
                throw new IllegalStateException("meant to fail");
            }
            return record(message);
        });
        tell(actor, 1, MESSAGES);
        actor.tell("fail");
        tell(actor, MESSAGES + 1, 2 * MESSAGES);
        gate.open();
        Await.value(actor.ask("last"));
        List<Object> expected = new ArrayList<>(numbers(1, 2 * MESSAGES));
        expected.add("last");
        assertEquals(expected, handled);
    }

    @AllStrategies
    void everySuspendedHandlerIsFollowedByTheNextMessage(ThreadStrategy strategy) {
        var actor = atGate(strategy, context -> message -> {
            record(message);
            if (message == gate) {
                return message;
            }
            var handler = new TestHandler("suspended", new ArrayList<>());
            if (handled.size() % 2 == 0) {
                handler.finish("in the turn");
            } else {
                Thread.startVirtualThread(() -> handler.finish("by another thread"));
            }
            return handler.suspend();
        });
        tell(actor, 1, MESSAGES);
        gate.open();
        actor.stop(StopMode.DRAIN);
        Await.end(actor);
        assertEquals(numbers(1, MESSAGES), handled);
    }
}
