package io.fibry.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The checks of a definition, and its diagram. */
class StateMachineSpecTest extends StateMachineFixture {

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
}
