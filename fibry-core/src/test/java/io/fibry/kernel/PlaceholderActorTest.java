package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.DeadLetter;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.InContext;
import io.fibry.testing.KernelTest;
import io.fibry.testing.Stats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** {@code find} and {@code findOrExpect}: actors by their names, also before they exist. */
class PlaceholderActorTest extends KernelTest {

    private final List<Object> handled = Collections.synchronizedList(new ArrayList<>());
    private final List<DeadLetter> dead = Collections.synchronizedList(new ArrayList<>());

    private Actor<Object> expected(int capacity) {
        return system.findOrExpect("clerk", capacity);
    }

    private Actor<Object> create(ThreadStrategy strategy) {
        return system.actor("clerk").strategy(strategy).newActor((Object message) -> handled.add(message));
    }

    @AllStrategies
    void aLivingActorIsFoundUntilItHasEnded(ThreadStrategy strategy) {
        assertEquals(Optional.empty(), system.find("clerk"));
        var gate = new Gate();
        Actor<Integer> actor = system.actor("clerk").strategy(strategy).newActor((Integer n) -> gate.pass());
        assertSame(actor, system.find("clerk").orElseThrow());
        assertSame(actor, expected(1));
        actor.tell(1);
        gate.awaitReached();
        actor.stop();
        assertSame(actor, system.find("clerk").orElseThrow());
        gate.open();
        Await.end(actor);
        assertEquals(Optional.empty(), system.find("clerk"));
    }

    @AllStrategies
    void anActorThatRepliesIsFoundAsOne(ThreadStrategy strategy) {
        assertEquals(Optional.empty(), system.findWithReturn("clerk"));
        var actor = system.actor("clerk").strategy(strategy).newActorWithReturn((Integer n) -> n + 1);
        var found = system.<Integer, Integer>findWithReturn("clerk").orElseThrow();
        assertEquals(3, Await.value(found.ask(2)));
        actor.close();
        create(strategy);
        assertEquals(Optional.empty(), system.findWithReturn("clerk"));
    }

    @AllStrategies(direct = true)
    void keptMessagesAreHandledFirstAndInOrder(ThreadStrategy strategy) {
        var address = expected(10);
        assertSame(address, expected(1));
        assertEquals(Optional.empty(), system.find("clerk"));
        address.tell(1);
        address.execute(() -> handled.add("task"));
        assertTrue(address.tryTell(2));
        assertEquals(3, address.mailboxSize().orElseThrow());
        var actor = create(strategy);
        actor.tell(3);
        address.tell(4);
        assertSame(actor, system.find("clerk").orElseThrow());
        assertEquals("clerk", address.name());
        address.close();
        assertEquals(List.of(1, "task", 2, 3, 4), handled);
        assertTrue(actor.exit().isDone());
        assertEquals(5, Await.end(address).handled());
        assertThrows(ActorStoppedException.class, () -> address.tell(5));
        assertThrows(ActorStoppedException.class, () -> address.tryTell(5));
    }

    @Test
    void theCapacityLimitsTheKeptMessages() {
        var address = expected(2);
        address.tell(1);
        address.tell(2);
        var e = assertThrows(MailboxFullException.class, () -> address.tell(3));
        assertTrue(e.getMessage().contains("clerk") && e.getMessage().contains("2"), e::getMessage);
        assertThrows(MailboxFullException.class, () -> address.execute(() -> {}));
        assertFalse(address.tryTell(3));
        assertEquals(Stats.ofSent(0, 2, 0, 0), system.stats());
        var actor = system.actor("clerk").bounded(1, Overflow.FAIL).newActor((Object message) -> handled.add(message));
        actor.close(); // kept messages are accepted, whatever the limit of the mailbox
        assertEquals(List.of(1, 2), handled);
    }

    /** Code that the executor runs at once must not run while the address is locked. */
    @Test
    void aBehaviorThatRunsOnTheCreatingThreadCanUseTheAddress() {
        var address = expected(10);
        address.tell(1);
        address.tell(2);
        var turns = new AtomicInteger();
        Executor inPlace = turn -> {
            turns.incrementAndGet();
            turn.run();
        };
        var actor = system.actor("clerk").strategy(ThreadStrategy.pool(inPlace)).newActor((Integer n) -> {
            handled.add(n);
            if (n < 3) {
                Await.thread(Thread.ofPlatform().start(() -> expected(1).tell(n + 10)));
                address.tell(n + 20);
            }
        });
        assertEquals(List.of(1, 2, 11, 21, 12, 22), handled);
        assertTrue(turns.get() > 0);
        actor.close();
    }

    @Test
    void anAddressStoppedWithoutAnActorLeavesDeadLetters() {
        system.onDeadLetter(dead::add);
        var address = expected(10);
        var closed = new AtomicInteger();
        address.closeOnExit(closed::incrementAndGet);
        var exit = address.exit();
        address.tell(1);
        Runnable task = () -> {};
        address.execute(task);
        address.stop();
        address.stop(StopMode.INTERRUPT);
        assertEquals(
                List.of(
                        new DeadLetter(address, 1, DeadLetter.Reason.NO_ACTOR),
                        new DeadLetter(address, task, DeadLetter.Reason.NO_ACTOR)),
                dead);
        assertEquals(2, Await.value(exit).discarded());
        assertTrue(address.waitForExit(Duration.ZERO));
        address.close();
        assertThrows(ActorStoppedException.class, () -> address.tell(2));
        assertThrows(ActorStoppedException.class, () -> address.tryTell(2));
        assertEquals(1, closed.get());
        address.closeOnExit(closed::incrementAndGet);
        assertEquals(2, closed.get());
        assertEquals(Stats.ofSent(0, 2, 0, 2), system.stats());
        create(ThreadStrategy.virtual()).close(); // the name is free
        assertEquals(List.of(), handled);
    }

    @AllStrategies(direct = true)
    void resourcesOfTheAddressEndWithTheActor(ThreadStrategy strategy) {
        var closed = new AtomicInteger();
        var address = expected(1).closeOnExit(closed::incrementAndGet);
        var actor = create(strategy);
        address.closeOnExit(closed::incrementAndGet);
        assertEquals(0, closed.get());
        actor.close();
        assertEquals(2, closed.get());
        assertTrue(Await.end(address).isNormal()); // notified after the actor's own end
    }

    @AllStrategies
    void anActorThatCannotStartLeavesTheAddress(ThreadStrategy strategy) {
        var parent = system.actor().newSink(null);
        parent.close();
        var address = expected(10);
        address.tell(1);
        assertThrows(
                ActorStoppedException.class,
                () -> system.actor("clerk").strategy(strategy).childOf(parent).newSink(null));
        address.tell(2);
        assertSame(address, expected(10));
        create(strategy).close();
        assertEquals(List.of(1, 2), handled);
    }

    // ---- while the name is promised to an actor that does not exist yet

    /** Runs code at that moment. */
    private Actor<Object> createAfter(Runnable code) {
        return create(ThreadStrategy.platform(thread -> {
            code.run();
            return thread;
        }));
    }

    @Test
    void aStopBeforeTheStartAppliesToTheActor() {
        for (StopMode mode : StopMode.values()) {
            handled.clear();
            var closed = new AtomicInteger();
            var address = expected(10);
            address.tell(1);
            createAfter(() -> {
                address.stop();
                address.stop(mode); // the harder stop takes effect
                address.stop();
                assertThrows(ActorStoppedException.class, () -> address.tell(2));
                address.closeOnExit(closed::incrementAndGet);
                assertEquals(0, closed.get());
                assertFalse(address.exit().isDone());
            });
            ActorExit exit = Await.end(address);
            assertEquals(
                    mode == StopMode.INTERRUPT ? ActorExit.Reason.INTERRUPTED : ActorExit.Reason.NORMAL, exit.reason());
            assertEquals(mode == StopMode.DRAIN ? List.of(1) : List.of(), handled);
            assertEquals(mode == StopMode.DRAIN ? 0 : 1, exit.discarded());
            assertEquals(1, closed.get());
        }
    }

    @Test
    void aStopBeforeAFailedStartEndsTheAddress() {
        system.onDeadLetter(dead::add);
        var failure = new IllegalArgumentException("no thread on purpose");
        var address = expected(10);
        address.tell(1);
        Executable broken = () -> createAfter(() -> {
            address.stop();
            throw failure;
        });
        assertSame(failure, assertThrows(IllegalArgumentException.class, broken));
        assertEquals(1, Await.end(address).discarded());
        assertEquals(List.of(new DeadLetter(address, 1, DeadLetter.Reason.NO_ACTOR)), dead);
        create(ThreadStrategy.virtual()).close(); // the name is free
    }

    @Test
    void theActorIsFoundOnlyWhenItHasTheKeptMessages() {
        var address = expected(10);
        Set<List<Object>> found = new HashSet<>();
        Comparator<Object> order = (unusedOne, unusedOther) -> { // called when a message is put into the mailbox
            found.add(List.of(system.find("clerk"), ((PlaceholderActor<?>) address).orItself()));
            return 0;
        };
        address.tell(1);
        address.tell(2);
        var actor = system.actor("clerk").priority(order).newActor((Object message) -> handled.add(message));
        assertEquals(Set.of(List.of(Optional.empty(), address)), found);
        actor.close();
        assertEquals(List.of(1, 2), handled);
    }

    /** Its sender cannot get the exception, so it must not prevent the start of the actor or the other messages. */
    @AllStrategies(direct = true)
    void aMessageThatTheComparatorCannotCompareIsADeadLetter(ThreadStrategy strategy) {
        system.onDeadLetter(dead::add);
        var address = expected(10);
        address.tell(2);
        address.tell("not a number");
        var asked = address.ask(replyTo -> "a question", Await.LIMIT);
        address.tell(1);
        Comparator<Object> numbers = (one, other) -> Integer.compare((Integer) one, (Integer) other);
        var actor = system.actor("clerk")
                .strategy(strategy)
                .priority(numbers)
                .newActor((Object message) -> handled.add(message));
        assertInstanceOf(ClassCastException.class, Await.failure(asked));
        assertSame(actor, system.find("clerk").orElseThrow());
        actor.close();
        assertEquals(List.of(1, 2), handled);
        assertEquals(
                List.of("not a number", "a question"),
                dead.stream().map(DeadLetter::message).toList());
    }

    @Test
    void oneOfTwoCreatorsGetsTheName() {
        expected(10).tell(1);
        var first = create(ThreadStrategy.virtual());
        assertThrows(IllegalStateException.class, () -> create(ThreadStrategy.virtual()));
        first.close();
        assertEquals(List.of(1), handled);
    }

    @Test
    void theEndOfTheSystemEndsTheAddress() {
        system.onDeadLetter(dead::add);
        var address = expected(10);
        address.tell(1);
        system.close();
        assertTrue(address.exit().isDone());
        assertEquals(1, dead.size());
        assertThrows(ActorStoppedException.class, () -> address.tell(2));
        assertThrows(IllegalStateException.class, () -> expected(1));
        assertEquals(Optional.empty(), system.find("clerk"));
    }

    @Test
    void aRunOnceActorAcceptsNoMessages() {
        system.onDeadLetter(dead::add);
        var address = expected(10);
        address.tell(1);
        system.actor("clerk").runOnce(() -> handled.add("ran"));
        assertEquals(1, Await.end(address).handled());
        assertEquals(List.of("ran"), handled);
        assertEquals(List.of(new DeadLetter(address, 1, DeadLetter.Reason.NO_ACTOR)), dead);
        Await.until("the name is free", () -> system.find("clerk").isEmpty());
    }

    @Test
    void invalidArgumentsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> expected(0));
        var address = expected(1);
        assertThrows(NullPointerException.class, () -> address.tell(null));
        assertThrows(NullPointerException.class, () -> address.tryTell(null));
        assertThrows(NullPointerException.class, () -> address.execute(null));
        assertThrows(NullPointerException.class, () -> address.stop((StopMode) null));
        assertThrows(IllegalArgumentException.class, () -> system.actor().childOf(address));
        var context = InContext.of(InContext.actor(system.actor()));
        var e = assertThrows(IllegalArgumentException.class, () -> context.watch(address, exit -> {}));
        assertTrue(e.getMessage().contains("clerk does not exist yet"), e::getMessage);
        address.stop();
    }
}
