package io.fibry.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes a run as a page: machine card, goals, and a chart and a table for each question. */
final class Markdown {

    private static final String HEAD = """
        # Figures

        Each fork is a separate process, and the peers alternate. The value of a fork is the median of its iterations. The
        tables show the median of the forks, and the lowest and the highest value. The last column is the cost of an operation
        relative to the cost of Fibry in the adjacent fork: median, lowest and highest; above 1, Fibry is better. The machine is
        shared, so compare ratios rather than times.

        """;

    private static final String GOALS = """

        ## Goals

        A limit is a cost; with ×, it is relative to the cost of the peer. The column "measured" has the median of the ratios of
        forks, each to the adjacent fork of the peer, and determines the verdict. The ratio of the two medians may differ, since
        the speed of the machine changes between forks.

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
        page.append(LatencyTables.of(all));
        for (Answers answers : all.stream()
                .filter(Answers::isShown)
                .filter(answers -> !SavinaTable.has(answers))
                .toList()) {
            String chart = answers.question().slug() + ".png";
            if (answers.worthAChart()) {
                Chart.write(answers, run.path().resolve(chart));
            }
            page.append(section(answers, chart));
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
        return limit.isEmpty() ? "" : "≤ " + limit + (goal.beside() == null ? "" : " ×");
    }

    /** Returns the notes on the run, such as the reasons for missed goals, from a file in the folder of the results. */
    private static String notes(Path folder) throws IOException {
        Path notes = folder.resolve("notes.md");
        return Files.exists(notes) ? "\n" + Files.readString(notes).strip() + "\n" : "";
    }

    static String section(Answers answers, String chart) {
        var text =
                new StringBuilder("\n## ").append(Titles.of(answers.question())).append("\n\n");
        if (answers.worthAChart()) {
            text.append("![chart](").append(chart).append(")\n\n");
        }
        text.append("| peer | median | lowest – highest | forks |");
        text.append(
                answers.question().isNeutral()
                        ? "\n|---|---|---|---|\n"
                        : " cost, ours = 1 |\n|---|---|---|---|---|\n");
        for (Figure figure : answers.figures()) {
            row(text, answers, figure);
        }
        answers.gaps().forEach((peer, why) -> line(text, PeerNames.title(peer), "–", "", "", cell(why)));
        return text.toString();
    }

    private static void row(StringBuilder text, Answers answers, Figure figure) {
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
        line(text, cells.toArray());
    }

    static String cost(Figure figure, @org.jspecify.annotations.Nullable Figure ours) {
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
