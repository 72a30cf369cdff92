package io.fibry.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes a run as a page: machine card, goals, and a chart and a table for each question. */
final class Markdown {

    private static final String HEAD = """
        # Figures

        Each fork is a separate process, and the peers alternate. The value of a fork is the median of its iterations. The
        tables show the median of the forks, and the lowest and the highest value. The column "cost" has the cost of an operation
        relative to the cost of Fibry in the adjacent fork: median, lowest and highest; above 1, Fibry is better. Pairs of
        forks during which a cache line took different times between the processors are left out if most pairs remain.
        A wake-up is a voluntary context switch of a thread of the process. The machine is shared, so compare ratios rather than times.

        """;

    private static final String GOALS = """

        ## Goals

        A limit is a cost, or with ≥ a rate; with ×, it is relative to the cost of the peer. The column "measured" has the median
        of the ratios of forks, each to the adjacent fork of the peer, and determines the verdict. The ratio of the two medians
        may differ, since the speed of the machine changes between forks.

        | goal | must | aim | measured | ratio of the medians | |
        |---|---|---|---|---|---|
        """;

    private Markdown() {}

    /** Writes {@code report.md} and the charts into the folder of the run. */
    static void write(RunFolder run, List<Goal> goals) throws IOException {
        List<Answers> all = Answers.of(run.figures(), run.gaps());
        var page = new StringBuilder(HEAD).append(MachineCard.markdown(run.card()));
        List<Goal> asked = run.isRestricted()
                ? goals.stream().filter(goal -> goal.isAsked(all)).toList()
                : goals;
        page.append(asked.isEmpty() ? "" : goals(asked, all)).append(notes(run.path()));
        page.append(LatencyTables.of(all)).append(DurableTables.of(all));
        for (Answers answers : all.stream()
                .filter(Answers::isShown)
                .filter(answers -> !SavinaTable.has(answers))
                .toList()) {
            String chart = answers.question().slug() + ".png";
            if (answers.worthAChart()) {
                Chart.write(answers, run.path().resolve(chart));
            }
            page.append(section(answers, chart, wakeUps(answers, all)));
        }
        page.append(SavinaTable.markdown(all));
        Files.writeString(run.path().resolve("report.md"), page);
    }

    static String goals(List<Goal> goals, List<Answers> all) {
        var table = new StringBuilder(GOALS);
        for (Goal goal : goals) {
            Goal.Result result = goal.of(all);
            line(
                    table,
                    goal.row(),
                    limit(goal, goal.must()),
                    limit(goal, goal.aim()),
                    result.measured(),
                    result.ofMedians(),
                    result.verdict());
        }
        return table.toString();
    }

    private static String limit(Goal goal, String limit) {
        return limit.isEmpty() ? "" : (goal.isMinimum() ? "≥ " : "≤ ") + limit + (goal.beside() == null ? "" : " ×");
    }

    /** Returns the notes on the run, such as the reasons for missed goals, from a file in the folder of the results. */
    private static String notes(Path folder) throws IOException {
        Path notes = folder.resolve("notes.md");
        return Files.exists(notes) ? "\n" + Files.readString(notes).strip() + "\n" : "";
    }

    /** Returns the wake-ups per operation of the question; null if there are none. */
    static @Nullable Answers wakeUps(Answers answers, List<Answers> all) {
        Question question = answers.question();
        return !question.metric().isEmpty()
                ? null
                : all.stream()
                        .filter(other -> other.question().equals(question.about(Question.WAKE_UPS)))
                        .filter(Answers::worthAChart)
                        .findFirst()
                        .orElse(null);
    }

    static String section(Answers answers, String chart, @Nullable Answers wakeUps) {
        var text =
                new StringBuilder("\n## ").append(Titles.of(answers.question())).append("\n\n");
        if (answers.worthAChart()) {
            text.append("![chart](").append(chart).append(")\n\n");
        }
        var columns = new ArrayList<>(List.of("peer", "median", "lowest – highest", "forks"));
        if (!answers.question().isNeutral()) {
            columns.add("cost, ours = 1");
        }
        if (wakeUps != null) {
            columns.add("wake-ups per operation");
        }
        line(text, columns.toArray());
        text.append('|').append("---|".repeat(columns.size())).append('\n');
        for (Figure figure : answers.figures()) {
            row(text, answers, figure, wakeUps);
        }
        answers.gaps().forEach((peer, why) -> line(text, PeerNames.title(peer), "–", "", "", cell(why)));
        return text.toString();
    }

    private static void row(StringBuilder text, Answers answers, Figure figure, @Nullable Answers wakeUps) {
        Unit unit = answers.unit();
        String name = PeerNames.title(figure.peer());
        var cells = new ArrayList<String>();
        cells.add(PeerNames.isOurs(figure.peer()) ? "**" + name + "**" : name);
        cells.add(unit.text(figure.median()));
        cells.add(Unit.number(unit.in(figure.min())) + " – " + Unit.number(unit.in(figure.max())));
        cells.add(String.valueOf(figure.forks().size()));
        if (!answers.question().isNeutral()) {
            cells.add(cost(figure, answers.ours()));
        }
        if (wakeUps != null) {
            Figure ofPeer = wakeUps.of(figure.peer());
            cells.add(ofPeer == null ? "" : Unit.number(ofPeer.median()));
        }
        line(text, cells.toArray());
    }

    static String cost(Figure figure, @Nullable Figure ours) {
        if (ours == null || ours.peer().equals(figure.peer())) {
            return ours == null ? "" : "1";
        }
        List<Double> costs = figure.costsInUnitsOf(ours).stream().sorted().toList();
        return "%s (%s – %s)"
                .formatted(
                        Unit.number(Statistics.median(costs)),
                        Unit.number(costs.get(0)),
                        Unit.number(costs.get(costs.size() - 1)));
    }

    static String cell(String text) {
        return text.replace("|", "\\|").replace("\n", " ");
    }

    static void line(StringBuilder table, Object... cells) {
        table.append(String.format(Locale.ROOT, "|" + " %s |".repeat(cells.length) + "\n", cells));
    }
}
