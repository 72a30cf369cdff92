package io.fibry.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.bench.Slow;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The plan of the full pass. Nothing is measured. */
class PlanTest {

    private static final Pace FULL = Pace.full(5);
    private static final List<Trial> ALL = all();

    private static List<Trial> all() {
        var nowhere = new PrintStream(OutputStream.nullOutputStream());
        var trials = new ArrayList<>(NetTrial.all(Pattern.compile(""), FULL));
        trials.removeIf(trial -> trial instanceof NetTrial net && net.server().cannot(net.load()) != null);
        var ours = Pattern.compile("^" + Pattern.quote(Slow.class.getPackageName()) + "\\.\\w+\\.\\w+$");
        for (Trial trial : JmhTrial.all(ours, FULL, nowhere)) {
            if (trial.cannot() == null) {
                trials.add(trial);
            }
        }
        return trials;
    }

    @Test
    void aFullPassEndsWithinAboutAnHour() {
        Duration total = Plan.total(ALL, FULL.forks());
        assertTrue(total.compareTo(Duration.ofMinutes(66)) <= 0, total.toString());
    }

    @Test
    void bothSidesOfEachGoalAreMeasuredInAllForks() {
        for (Goal goal : Goals.ALL) {
            List<String> slugs = ALL.stream()
                    .filter(trial -> trial.forks() >= FULL.forks())
                    .map(PlanTest::slugAndPeer)
                    .toList();
            for (Goal.Side side : goal.beside() == null ? List.of(goal.ours()) : List.of(goal.ours(), goal.beside())) {
                String question = side.question().replaceAll("-heapperactor$", ""); // recorded with the time
                assertEquals(
                        1,
                        slugs.stream()
                                .filter(s -> s.matches(question + " " + side.peer()))
                                .count(),
                        goal.row());
            }
        }
    }

    private static String slugAndPeer(Trial trial) {
        return Question.of(trial.benchmark(), trial.params(), "").slug() + " " + trial.peer();
    }

    @Test
    void everyBenchmarkHasATitle() {
        for (Trial trial : ALL) {
            Question shown = Question.of(trial.benchmark(), trial.params(), "").asShown();
            assertTrue(Titles.KNOWN.containsKey(shown.name()), shown.name());
        }
    }

    @Test
    void theEstimateShowsWhereTheTimeGoes() {
        var console = new ByteArrayOutputStream();
        List<Trial> ring = ALL.stream()
                .filter(trial -> trial.benchmark().endsWith("RingBenchmark.hop")
                        && List.of("FIBRY", "PEKKO").contains(trial.peer()))
                .toList();
        Plan.print(ring, 5, new PrintStream(console, true, StandardCharsets.UTF_8));
        String text = console.toString(StandardCharsets.UTF_8);
        assertTrue(text.matches("(?s) *\\d+:\\d\\d min  RingBenchmark.hop +10 forks\\R.* min  in all.*"), text);
    }
}
