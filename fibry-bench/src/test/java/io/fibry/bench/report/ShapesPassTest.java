package io.fibry.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The plan of the pass of the stereotypes. Nothing is measured. */
class ShapesPassTest {

    private static final Pace FULL = Pace.full(5);
    private static final List<Trial> ALL =
            JmhTrial.all(Pattern.compile("\\.shapes\\."), FULL, new PrintStream(OutputStream.nullOutputStream()))
                    .stream()
                    .filter(trial -> Plan.isOfShapes(trial.benchmark()))
                    .toList();

    @Test
    void bothSidesOfEachGoalAreMeasuredInAllForks() {
        for (Goal goal : Goals.SHAPES) {
            for (Goal.Side side : Stream.of(goal.ours(), goal.beside()).toList()) {
                List<Trial> of = ALL.stream()
                        .filter(trial -> side.is(question(trial).slug(), trial.peer()))
                        .toList();
                assertEquals(1, of.size(), goal.row());
                assertTrue(of.getFirst().forks() >= FULL.forks(), goal.row());
            }
        }
    }

    @Test
    void allHaveNamesForTheReport() {
        assertFalse(ALL.isEmpty());
        for (Trial trial : ALL) {
            assertTrue(Titles.KNOWN.containsKey(question(trial).name()), trial.id());
            assertTrue(trial.peer().isEmpty() || PeerNames.hasTitle(trial.peer()), trial.id());
        }
    }

    @Test
    void theGoalsBelongToARunOfStereotypes() {
        var figure = new Figure(question(ALL.getFirst()), "FIBRY", false, "ns/op", List.of(1.0), List.of());
        assertEquals(Goals.SHAPES, Goals.of(List.of(figure)));
    }

    @Test
    void itEndsWithinThirtyFiveMinutes() {
        Duration total = Plan.total(ALL, FULL.forks());
        assertTrue(total.compareTo(Duration.ofMinutes(35)) <= 0, total.toString());
    }

    private static Question question(Trial trial) {
        return Question.of(trial.benchmark(), trial.params(), "");
    }
}
