package io.fibry.state;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.ReplyTo;
import io.fibry.StopMode;
import io.fibry.SystemStats;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

@ExtendWith(NoLeftovers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class StateMachineTest {

    private static final Duration LONG = Duration.ofDays(1);

    private enum Door {
        OPEN,
        CLOSED,
        LOCKED
    }

    private enum Hand {
        PUSH,
        PULL
    }

    private sealed interface Light permits Red, Green {}

    private record Red() implements Light {}

    private record Green() implements Light {}

    private sealed interface Key permits Turn, Knock {}

    private record Turn(int code, ReplyTo<String> done) implements Key {}

    private record Knock() implements Key {}

    private final ActorSystem system = ActorSystem.create();
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        system.close();
    }

    private <S, E> StateMachine<S, E> start(ThreadStrategy strategy, StateMachineSpec<S, E> spec) {
        return StateMachine.start(system.actor().strategy(strategy), spec);
    }

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
        await().until(() -> system.stats().equals(new SystemStats(1, 0, 0, 1)));
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

    @Test
    void theDiagramHasEverything() {
        String diagram = StateMachineSpec.<Door, Object>startingIn(Door.CLOSED)
                .on(Door.CLOSED, Hand.PUSH, Door.OPEN)
                .on(Door.CLOSED, Turn.class, Door.LOCKED)
                .choose(Door.LOCKED, Turn.class, (turn, context) -> Door.OPEN, List.of(Door.OPEN, Door.CLOSED))
                .postpone(Door.LOCKED, Knock.class)
                .ignore(Door.OPEN, Knock.class)
                .timeout(Door.OPEN, Duration.ofSeconds(30), Door.CLOSED)
                .terminal(Door.LOCKED)
                .toMermaid();
        assertEquals("""
            stateDiagram-v2
                [*] --> CLOSED
                CLOSED --> OPEN : PUSH
                CLOSED --> LOCKED : Turn
                LOCKED --> OPEN : Turn
                LOCKED --> CLOSED : Turn
                note right of LOCKED : postpones Knock
                note right of OPEN : ignores Knock
                OPEN --> CLOSED : after PT30S
                LOCKED --> [*]
            """, diagram);
    }

    @Test
    void namesThatAreNotIdentifiersAreReplaced() {
        String diagram = StateMachineSpec.<String, String>startingIn("not: yet")
                .on("not: yet", "go {now}", "done")
                .toMermaid();
        assertEquals("""
            stateDiagram-v2
                state "not  yet" as state0
                [*] --> state0
                state0 --> done : go  now\s
            """, diagram);
    }

    @Test
    void aDefinitionHiddenByAnEarlierOneIsRefused() {
        var spec = StateMachineSpec.<Door, Key>startingIn(Door.LOCKED).on(Door.LOCKED, Key.class, Door.OPEN);
        var e = assertThrows(IllegalArgumentException.class, () -> spec.ignore(Door.LOCKED, Turn.class));
        assertTrue(e.getMessage().contains("LOCKED") && e.getMessage().contains("Turn"), e::getMessage);
        spec.on(Door.OPEN, Turn.class, Door.LOCKED).on(Door.OPEN, Key.class, Door.CLOSED); // the wider one comes later
    }

    @Test
    void aSecondDefinitionOfAnActionOrALimitIsRefused() {
        var spec = StateMachineSpec.<Door, Key>startingIn(Door.LOCKED)
                .onEntry(Door.LOCKED, context -> {})
                .onExit(Door.LOCKED, context -> {})
                .timeout(Door.LOCKED, LONG, Door.OPEN);
        assertHas("an entry action", () -> spec.onEntry(Door.LOCKED, context -> {}));
        assertHas("an exit action", () -> spec.onExit(Door.LOCKED, context -> {}));
        assertHas("a limit", () -> spec.timeout(Door.LOCKED, LONG, Door.CLOSED));
    }

    private static void assertHas(String what, Executable definition) {
        var e = assertThrows(IllegalArgumentException.class, definition);
        assertEquals("state LOCKED has " + what + " already", e.getMessage());
    }

    /** A machine never leaves the state in which it ends. */
    @Test
    void anExitActionOrALimitOfTheLastStateIsRefused() {
        var spec = StateMachineSpec.<Door, Key>startingIn(Door.LOCKED)
                .on(Door.LOCKED, Turn.class, Door.OPEN)
                .terminal(Door.OPEN);
        var exit = spec.onExit(Door.OPEN, context -> {});
        var limit = spec.timeout(Door.OPEN, LONG, Door.CLOSED);
        var e = assertThrows(IllegalArgumentException.class, () -> start(ThreadStrategy.virtual(), exit));
        assertTrue(e.getMessage().contains("OPEN, so its exit action would"), e::getMessage);
        e = assertThrows(IllegalArgumentException.class, () -> start(ThreadStrategy.virtual(), limit));
        assertTrue(e.getMessage().contains("OPEN, so its limit would"), e::getMessage);
    }

    @Test
    void aDefinitionForAnUnreachableStateIsRefused() {
        var spec = StateMachineSpec.<Door, Key>startingIn(Door.LOCKED).on(Door.LOCKED, Turn.class, Door.OPEN);
        for (var wrong : List.of(
                spec.on(Door.CLOSED, Turn.class, Door.OPEN),
                spec.ignore(Door.CLOSED, Turn.class),
                spec.onEntry(Door.CLOSED, context -> {}),
                spec.onExit(Door.CLOSED, context -> {}),
                spec.timeout(Door.CLOSED, LONG, Door.OPEN),
                spec.terminal(Door.CLOSED))) {
            var e = assertThrows(IllegalArgumentException.class, () -> start(ThreadStrategy.virtual(), wrong));
            assertTrue(e.getMessage().contains("to CLOSED"), e::getMessage);
        }
        start(
                ThreadStrategy.virtual(),
                spec.timeout(Door.OPEN, LONG, Door.CLOSED).terminal(Door.CLOSED));
        var afterEnd = spec.terminal(Door.OPEN).on(Door.OPEN, Turn.class, Door.LOCKED);
        var e = assertThrows(IllegalArgumentException.class, () -> start(ThreadStrategy.virtual(), afterEnd));
        assertTrue(e.getMessage().contains("ends in state OPEN"), e::getMessage);
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

    @Test
    void badInput() {
        var spec = StateMachineSpec.<Door, Key>startingIn(Door.LOCKED).on(Door.LOCKED, Turn.class, Door.OPEN);
        assertThrows(NullPointerException.class, () -> StateMachineSpec.startingIn(null));
        assertThrows(NullPointerException.class, () -> spec.on(Door.OPEN, Turn.class, null));
        assertThrows(NullPointerException.class, () -> spec.on(null, Turn.class, Door.OPEN));
        assertThrows(NullPointerException.class, () -> spec.onEntry(Door.OPEN, null));
        assertThrows(NullPointerException.class, () -> spec.terminal(null));
        assertThrows(IllegalArgumentException.class, () -> spec.on(Door.LOCKED, Turn.class, Door.CLOSED));
        assertThrows(IllegalArgumentException.class, () -> spec.postpone(Door.LOCKED, Turn.class));
        assertThrows(
                IllegalArgumentException.class,
                () -> spec.choose(Door.OPEN, Knock.class, (knock, context) -> Door.OPEN, List.of()));
        assertThrows(IllegalArgumentException.class, () -> spec.timeout(Door.OPEN, Duration.ZERO, Door.CLOSED));
        assertThrows(IllegalArgumentException.class, () -> spec.timeout(Door.OPEN, Duration.ofNanos(-1), Door.CLOSED));
        assertThrows(IllegalArgumentException.class, () -> spec.timeout(Door.OPEN, LONG, Door.OPEN));
        assertThrows(IllegalArgumentException.class, () -> spec.postponeLimit(0));
        assertThrows(IllegalArgumentException.class, () -> spec.bounded(0, Overflow.FAIL));
        var machine = start(ThreadStrategy.virtual(), spec);
        assertThrows(NullPointerException.class, () -> machine.tell(null));
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
