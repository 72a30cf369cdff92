package io.fibry.state;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorStoppedException;
import io.fibry.HandledMessages;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.SystemStats;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StateMachineTest extends StateMachineFixture {

    private sealed interface Light permits Red, Green {}

    private record Red() implements Light {}

    private record Green() implements Light {}

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private static final StateMachineSpec<Door, Hand> DOOR = StateMachineSpec.<Door, Hand>startingIn(Door.CLOSED)
            .on(Door.CLOSED, Hand.PUSH, Door.OPEN)
            .on(Door.OPEN, Hand.PULL, Door.CLOSED);

    @AllStrategies(direct = true)
    void eventsCanBeConstants(ThreadStrategy strategy) {
        var door = start(strategy, DOOR);
        assertEquals(Door.CLOSED, door.state());
        door.tell(Hand.PUSH);
        await().until(() -> door.state() == Door.OPEN);
        door.tell(Hand.PULL);
        await().until(() -> door.state() == Door.CLOSED);
    }

    @AllStrategies(direct = true)
    void statesCanBeRecordsOfASealedType(ThreadStrategy strategy) {
        var light = start(
                strategy,
                StateMachineSpec.<Light, Knock>startingIn(new Red())
                        .on(new Red(), Knock.class, new Green())
                        .on(new Green(), Knock.class, new Red()));
        light.tell(new Knock());
        await().until(() -> light.state() instanceof Green);
    }

    @AllStrategies
    void aRefusedEventIsNamedInTheErrorAndTheMachineContinues(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var door = StateMachine.start(system.actor("front door").strategy(strategy), DOOR);
            door.tell(Hand.PULL);
            door.tell(Hand.PUSH);
            await().until(() -> door.state() == Door.OPEN);
            assertFalse(log.with("state machine front door in state CLOSED refuses event PULL; it takes [PUSH]")
                    .isEmpty());
            door.close();
            assertEquals(1, door.exit().join().failed());
        }
    }

    private StateMachineSpec<Door, Key> lock() {
        return StateMachineSpec.<Door, Key>startingIn(Door.LOCKED)
                .choose(
                        Door.LOCKED,
                        Turn.class,
                        (turn, context) -> {
                            turn.done().reply(turn.code() == 42 ? "yes" : "no");
                            return turn.code() == 42 ? Door.OPEN : Door.LOCKED;
                        },
                        List.of(Door.OPEN, Door.LOCKED))
                .onEntry(Door.OPEN, context -> seen.add("opened"));
    }

    private static String turn(StateMachine<Door, Key> lock, int code) throws Exception {
        return lock.<String>ask(done -> new Turn(code, done), LONG).get(30, TimeUnit.SECONDS);
    }

    @AllStrategies(direct = true)
    void anEventCanCarryItsReplyToAndAChoiceDecides(ThreadStrategy strategy) throws Exception {
        var lock = start(strategy, lock());
        assertEquals("no", turn(lock, 1));
        assertEquals(Door.LOCKED, lock.state());
        assertEquals("yes", turn(lock, 42));
        await().until(() -> lock.state() == Door.OPEN && seen.contains("opened"));
        var e = assertThrows(ExecutionException.class, () -> turn(lock, 42));
        assertInstanceOf(IllegalStateException.class, e.getCause());
        assertTrue(e.getCause().getMessage().contains("in state OPEN refuses event Turn; it takes []"));
    }

    @AllStrategies(direct = true)
    void aPostponedAskIsAnsweredLater(ThreadStrategy strategy) throws Exception {
        var lock = start(
                strategy,
                StateMachineSpec.<Door, Key>startingIn(Door.LOCKED)
                        .postpone(Door.LOCKED, Turn.class)
                        .on(Door.LOCKED, Knock.class, Door.CLOSED)
                        .on(
                                Door.CLOSED,
                                Turn.class,
                                Door.OPEN,
                                (turn, context) -> turn.done().reply("at last")));
        CompletableFuture<String> asked = lock.ask(done -> new Turn(1, done), LONG);
        lock.tell(new Knock());
        assertEquals("at last", asked.get(30, TimeUnit.SECONDS));
    }

    @AllStrategies(direct = true)
    void aChoiceMustReturnOneOfItsTargets(ThreadStrategy strategy) {
        var lock = start(
                strategy,
                StateMachineSpec.<Door, Key>startingIn(Door.LOCKED)
                        .choose(Door.LOCKED, Turn.class, (turn, context) -> Door.OPEN, List.of(Door.CLOSED)));
        var e = assertThrows(ExecutionException.class, () -> turn(lock, 1));
        assertTrue(e.getCause().getMessage().contains("returned the state OPEN, which is none of its targets"));
        assertEquals(Door.LOCKED, lock.state());
    }

    @AllStrategies(direct = true)
    void afterAFailureTheStateIsAsDocumented(ThreadStrategy strategy) throws Exception {
        var cause = new IllegalStateException("on purpose");
        for (String failing : List.of("action", "exit", "entry")) {
            var machine = start(
                    strategy,
                    StateMachineSpec.<Door, Key>startingIn(Door.LOCKED)
                            .on(Door.LOCKED, Turn.class, Door.OPEN, (turn, context) -> {
                                context.raise(new Knock());
                                fail(failing, "action", cause);
                                turn.done().reply("done");
                            })
                            .onExit(Door.LOCKED, context -> fail(failing, "exit", cause))
                            .onEntry(Door.OPEN, context -> fail(failing, "entry", cause))
                            .on(Door.OPEN, Knock.class, Door.CLOSED)
                            .on(Door.LOCKED, Knock.class, Door.CLOSED));
            if (failing.equals("action")) {
                assertSame(
                        cause,
                        assertThrows(ExecutionException.class, () -> turn(machine, 1))
                                .getCause());
            } else {
                assertEquals("done", turn(machine, 1));
            }
            machine.close(); // the raised event has been dropped
            assertEquals(failing.equals("entry") ? Door.OPEN : Door.LOCKED, machine.state(), failing);
            assertEquals(1, machine.exit().join().failed());
        }
    }

    private static void fail(String failing, String here, RuntimeException cause) {
        if (failing.equals(here)) {
            throw cause;
        }
    }

    @AllStrategies(direct = true)
    void aRestartBeginsInTheInitialState(ThreadStrategy strategy) {
        var machine = StateMachine.start(
                system.actor().strategy(strategy).supervision(Supervision.restart()),
                StateMachineSpec.<Door, Key>startingIn(Door.LOCKED)
                        .onEntry(Door.LOCKED, context -> seen.add("locked"))
                        .on(Door.LOCKED, Knock.class, Door.OPEN)
                        .postpone(Door.OPEN, Knock.class)
                        .on(Door.OPEN, Turn.class, Door.CLOSED, (turn, context) -> {
                            throw new IllegalStateException("on purpose");
                        }));
        machine.tell(new Knock());
        await().until(() -> machine.state() == Door.OPEN);
        assertThrows(ExecutionException.class, () -> turn(machine, 1));
        await().until(() -> machine.state() == Door.LOCKED);
        machine.tell(new Knock());
        machine.tell(new Knock()); // is postponed, and opens the door after the second restart
        assertThrows(ExecutionException.class, () -> turn(machine, 1));
        await().until(() -> seen.size() == 3 && machine.state() == Door.OPEN);
        machine.close();
        assertEquals(List.of("locked", "locked", "locked"), seen);
    }

    /** The entry action fails twice after the restart, each time in the turn of the event that waits first. */
    @AllStrategies
    void aFailureOfTheFirstEntryActionLosesNoWaitingEvent(ThreadStrategy strategy) throws Exception {
        var sent = new CountDownLatch(1);
        var entries = new AtomicInteger();
        var machine = StateMachine.start(
                system.actor().strategy(strategy).supervision(Supervision.restart()),
                StateMachineSpec.<Door, Key>startingIn(Door.LOCKED)
                        .onEntry(Door.LOCKED, context -> {
                            int n = entries.incrementAndGet();
                            if (n == 2 || n == 3) {
                                throw new IllegalStateException("on purpose");
                            }
                        })
                        .on(Door.LOCKED, Turn.class, Door.LOCKED, (turn, context) -> {
                            if (turn.code() == 1) {
                                assertTrue(sent.await(60, TimeUnit.SECONDS));
                                throw new IllegalStateException("on purpose");
                            }
                            seen.add("turn");
                            turn.done().reply("done");
                        })
                        .on(Door.LOCKED, Knock.class, Door.OPEN, (knock, context) -> seen.add("knock")));
        CompletableFuture<String> failing = machine.ask(done -> new Turn(1, done), LONG);
        CompletableFuture<String> waiting = machine.ask(done -> new Turn(2, done), LONG);
        machine.tell(new Knock());
        sent.countDown();
        assertThrows(ExecutionException.class, () -> failing.get(30, TimeUnit.SECONDS));
        assertEquals("done", waiting.get(30, TimeUnit.SECONDS));
        await().until(() -> machine.state() == Door.OPEN);
        machine.close();
        assertEquals(List.of("turn", "knock"), seen);
        assertEquals(4, entries.get());
        assertEquals(3, machine.exit().join().failed());
        assertEquals(3 + 2, machine.exit().join().handled()); // the events, and two messages of the machine itself
    }

    @AllStrategies
    void theLimitBeginsAgainIfTheExitActionFails(ThreadStrategy strategy) {
        var exits = new AtomicInteger();
        var machine = start(
                strategy,
                StateMachineSpec.<Door, Key>startingIn(Door.LOCKED)
                        .timeout(Door.LOCKED, Duration.ofMillis(1), Door.OPEN)
                        .onExit(Door.LOCKED, context -> {
                            if (exits.incrementAndGet() < 3) {
                                throw new IllegalStateException("on purpose");
                            }
                        }));
        await().until(() -> machine.state() == Door.OPEN);
        machine.close();
        assertEquals(3, exits.get());
        assertEquals(2, machine.exit().join().failed());
    }

    @AllStrategies
    void anEndStateEndsTheMachineAndLeavesDeadLetters(ThreadStrategy strategy) throws Exception {
        var machine = start(
                strategy,
                StateMachineSpec.<Door, Key>startingIn(Door.LOCKED)
                        .postpone(Door.LOCKED, Turn.class)
                        .on(Door.LOCKED, Knock.class, Door.OPEN, (knock, context) -> context.raise(knock))
                        .onEntry(Door.OPEN, context -> seen.add("entered"))
                        .terminal(Door.OPEN));
        CompletableFuture<String> postponed = machine.ask(done -> new Turn(1, done), LONG);
        machine.tell(new Knock());
        machine.waitForExit();
        assertTrue(machine.exit().join().isNormal());
        assertEquals(List.of("entered"), seen);
        var e = assertThrows(ExecutionException.class, () -> postponed.get(30, TimeUnit.SECONDS));
        assertInstanceOf(ActorStoppedException.class, e.getCause());
        var handled = new HandledMessages(1, 0, 1, 0); // the event, and the begin
        await().until(() -> system.stats().equals(new SystemStats(handled, 0, 0, 1)));
        assertThrows(ActorStoppedException.class, () -> machine.tell(new Knock()));
    }

    @AllStrategies
    void aStopEndsTheLimitAndLeavesDeadLetters(ThreadStrategy strategy) throws Exception {
        for (StopMode mode : StopMode.values()) {
            var machine = start(
                    strategy,
                    StateMachineSpec.<Door, Key>startingIn(Door.LOCKED)
                            .timeout(Door.LOCKED, LONG, Door.OPEN)
                            .postpone(Door.LOCKED, Knock.class));
            long before = system.stats().dead();
            machine.tell(new Knock());
            machine.stop(mode);
            machine.waitForExit();
            await().until(() -> system.stats().dead() == before + 1);
            assertEquals(Door.LOCKED, machine.state());
        }
    }

    @AllStrategies
    void thePostponedEventsAreLimited(ThreadStrategy strategy) {
        var machine = start(
                strategy,
                StateMachineSpec.<Door, Key>startingIn(Door.LOCKED)
                        .postpone(Door.LOCKED, Turn.class)
                        .postponeLimit(1));
        CompletableFuture<String> first = machine.ask(done -> new Turn(1, done), LONG);
        var e = assertThrows(ExecutionException.class, () -> turn(machine, 2));
        assertInstanceOf(MailboxFullException.class, e.getCause());
        assertFalse(first.isDone());
        machine.stop(StopMode.DISCARD);
    }

    @AllStrategies
    void theMailboxCanBeBounded(ThreadStrategy strategy) throws Exception {
        var entered = new CompletableFuture<Boolean>();
        var go = new CompletableFuture<Boolean>();
        var machine = start(
                strategy,
                StateMachineSpec.<Door, Key>startingIn(Door.LOCKED)
                        .onEntry(Door.LOCKED, context -> {
                            entered.complete(true);
                            go.get();
                        })
                        .ignore(Door.LOCKED, Knock.class)
                        .bounded(1, Overflow.FAIL));
        entered.get(30, TimeUnit.SECONDS);
        machine.tell(new Knock());
        assertThrows(MailboxFullException.class, () -> machine.tell(new Knock()));
        go.complete(true);
    }

    @Test
    void theActorIsFoundByItsName() {
        var door = StateMachine.start(system.actor("door"), DOOR);
        assertSame(door, system.find("door").orElseThrow());
        assertEquals("door", door.name());
        door.close();
        assertTrue(system.find("door").isEmpty());
    }

    /** The limit is a timeout, and not accepted work of the machine. */
    @Test
    void aLimitDoesNotDelayTheEnd() {
        var dead = new AtomicInteger();
        system.onDeadLetter(letter -> dead.incrementAndGet());
        var machine = start(
                ThreadStrategy.virtual(),
                StateMachineSpec.<Door, Key>startingIn(Door.LOCKED).timeout(Door.LOCKED, LONG, Door.OPEN));
        machine.stop();
        machine.waitForExit();
        assertEquals(0, dead.get());
    }

    @AllStrategies
    void onlyActionsRaiseEvents(ThreadStrategy strategy) throws Exception {
        var context = new CompletableFuture<StateContext<Door, Key>>();
        start(strategy, StateMachineSpec.<Door, Key>startingIn(Door.LOCKED).onEntry(Door.LOCKED, c -> {
            assertThrows(NullPointerException.class, () -> c.raise(null));
            context.complete(c);
        }));
        StateContext<Door, Key> c = context.get(30, TimeUnit.SECONDS);
        await().until(() -> c.state() == Door.LOCKED);
        await().untilAsserted(() -> assertThrows(IllegalStateException.class, () -> c.raise(new Knock())));
    }
}
