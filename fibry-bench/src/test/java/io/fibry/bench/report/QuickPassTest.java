package io.fibry.bench.report;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.bench.Slow;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The plan of the quick pass. Nothing is measured. */
class QuickPassTest {

    private static final Pace QUICK = Pace.quick();
    private static final List<Trial> ALL = all();

    /** Returns the trials on a machine with all programs. */
    private static List<Trial> all() {
        var nowhere = new PrintStream(OutputStream.nullOutputStream());
        var ours = Pattern.compile("^" + Pattern.quote(Slow.class.getPackageName()) + "\\.\\w+\\.\\w+$");
        var trials = new ArrayList<>(NetTrial.all(Pattern.compile(""), QUICK));
        trials.addAll(JmhTrial.all(ours, QUICK, nowhere));
        trials.removeIf(QuickPassTest::isNotRun);
        return Plan.ordered(trials);
    }

    private static boolean isNotRun(Trial trial) {
        String cannot = trial instanceof NetTrial net ? net.server().cannot(net.load()) : trial.cannot();
        return cannot != null || Plan.leftToTheFullPass(trial) != null;
    }

    @Test
    void itEndsWithinTenMinutesAndHasTimeToSpare() {
        assertTrue(QUICK.limit().compareTo(Duration.ofSeconds(575)) < 0, "the charts come after it");
        Duration planned = Plan.total(ALL, QUICK.forks());
        assertTrue(planned.compareTo(QUICK.limit().minusSeconds(30)) <= 0, planned.toString());
    }

    @Test
    void bothSidesOfEachGoalAreMeasured() {
        List<String> slugs = ALL.stream().map(QuickPassTest::slugAndPeer).toList();
        for (Goal goal : Goals.ALL) {
            if (goal.ours().question().matches("netload-(tcp-.*|http-open)")) {
                continue; // left to the full pass
            }
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
        return question(trial).slug() + " " + trial.peer();
    }

    private static Question question(Trial trial) {
        return Question.of(trial.benchmark(), trial.params(), "");
    }

    @Test
    void theQuestionsOfTheGoalsComeFirst() {
        Set<Question> ofGoals = ALL.stream()
                .filter(trial -> Goals.ALL.stream()
                        .anyMatch(goal -> goal.needs(question(trial).slug(), trial.peer())))
                .map(QuickPassTest::question)
                .collect(toSet());
        List<Boolean> first =
                ALL.stream().map(trial -> ofGoals.contains(question(trial))).toList();
        assertEquals(first.indexOf(false), first.lastIndexOf(true) + 1);
    }

    @Test
    void theTimeThatIsLeftIsKnownBeforeTheFirstFork() {
        for (Trial trial : ALL) {
            Duration expected = Objects.requireNonNull(trial.expected(), trial.id());
            assertTrue(expected.compareTo(Duration.ofMillis(500)) > 0, trial.id());
            assertTrue(expected.compareTo(QUICK.forkLimit()) < 0, trial.id());
        }
    }
}
