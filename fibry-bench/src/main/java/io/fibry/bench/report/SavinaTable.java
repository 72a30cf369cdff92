package io.fibry.bench.report;

import io.fibry.bench.savina.Savina;
import io.fibry.bench.savina.Worlds;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The Savina suite as a table: a row for each workload, the geometric means with their goals, and the reasons for
 * missed goals.
 */
final class SavinaTable {

    private static final String OURS = Worlds.FIBRY.name();

    /** The upper limits of the geometric means of the ratios of our times to a peer's times. */
    private static final Map<String, Double> MEANS = new TreeMap<>(
            Map.of(Worlds.PEKKO.name(), 0.5, Worlds.VIRTUAL_THREADS.name(), 0.45, Worlds.KOTLIN.name(), 0.65));

    private static final double BEST = 1;

    private static final String UNKNOWN = "The cause has not been measured.";

    private static final String HEAD = """

        ## Savina suite

        Workloads of actors after Imam and Sarkar (AGERE 2014), each written once for all peers; each run checks its result. The
        time of an iteration, from the first message to the result. The column "beside the best" is our time in units of the best
        peer's: the median of the ratios of forks, each to the fork of the peer beside it. The last column is the number of times
        that Fibry wakes a thread in an iteration.

        """;

    /** The ratios of our time to a peer's time, by forks. */
    private record Ratio(String peer, List<Double> forks) {

        double value() {
            return Statistics.median(forks);
        }

        String text() {
            return Unit.number(value()) + " × " + PeerNames.title(peer);
        }

        String range() {
            return "By forks it is %s to %s ×."
                    .formatted(Unit.number(Collections.min(forks)), Unit.number(Collections.max(forks)));
        }
    }

    private SavinaTable() {}

    /** Returns whether the answers are shown in this table instead of a separate section. */
    static boolean has(Answers answers) {
        return SavinaTrial.workload(answers.question()) != null;
    }

    /** Returns the table; empty if the run has no workload of the suite. */
    static String markdown(List<Answers> all) throws IOException {
        var rows = new TreeMap<Integer, Answers>();
        for (Answers answers : all) {
            Savina workload = SavinaTrial.workload(answers.question());
            if (workload != null && answers.question().metric().isEmpty()) {
                rows.put(Savina.ALL.indexOf(workload), answers);
            }
        }
        if (rows.isEmpty()) {
            return "";
        }
        var text = new StringBuilder(HEAD);
        workloads(text, rows, all);
        goals(text, List.copyOf(rows.values()));
        return text.toString();
    }

    private static void workloads(StringBuilder text, Map<Integer, Answers> rows, List<Answers> all) {
        text.append("| workload |");
        for (Worlds world : Worlds.values()) {
            text.append(' ').append(PeerNames.title(world.name())).append(" |");
        }
        text.append(" beside the best | wake-ups |\n|---|")
                .append("---|".repeat(Worlds.values().length + 2))
                .append('\n');
        rows.forEach((index, answers) -> {
            var cells = new ArrayList<Object>();
            cells.add(Savina.ALL.get(index).title());
            for (Worlds world : Worlds.values()) {
                Figure figure = answers.of(world.name());
                cells.add(
                        figure == null
                                ? "–"
                                : Unit.of(figure.unit(), figure.median()).text(figure.median()));
            }
            Ratio best = besideTheBest(answers);
            cells.add(best == null ? "" : best.text());
            Answers wakeUps = Markdown.wakeUps(answers, all);
            Figure ours = wakeUps == null ? null : wakeUps.of(OURS);
            cells.add(ours == null ? "" : Unit.number(ours.median()));
            Markdown.line(text, cells.toArray());
            answers.gaps().forEach((peer, why) -> Markdown.line(text, "", PeerNames.title(peer) + ": " + why));
        });
    }

    /** Returns the highest ratio to a peer; null if our time or the times of all peers are missing. */
    private static @Nullable Ratio besideTheBest(Answers answers) {
        return MEANS.keySet().stream()
                .map(peer -> beside(answers, peer))
                .filter(Objects::nonNull)
                .max(java.util.Comparator.comparingDouble(Ratio::value))
                .orElse(null);
    }

    private static @Nullable Ratio beside(Answers answers, String peer) {
        Figure ours = answers.of(OURS);
        Figure other = answers.of(peer);
        return ours == null || other == null ? null : new Ratio(peer, ours.costsInUnitsOf(other));
    }

    private static void goals(StringBuilder text, List<Answers> rows) throws IOException {
        var missed = new StringBuilder();
        Properties reasons = reasons();
        text.append("\n| goal | must | measured | |\n|---|---|---|---|\n");
        MEANS.forEach((peer, must) -> {
            List<Double> ratios = rows.stream()
                    .map(answers -> beside(answers, peer))
                    .filter(Objects::nonNull)
                    .map(Ratio::value)
                    .toList();
            double mean = mean(ratios);
            String row = "geometric mean of %d workloads, beside %s".formatted(ratios.size(), PeerNames.title(peer));
            Markdown.line(text, row, "≤ " + must + " ×", Unit.number(mean) + " ×", verdict(mean, must));
            if (mean > must) {
                why(missed, row, reasons.getProperty("mean-" + peer.toLowerCase(Locale.ROOT), UNKNOWN));
            }
        });
        int behind = 0;
        for (Answers answers : rows) {
            Ratio ratio = besideTheBest(answers);
            if (ratio != null && ratio.value() > BEST) {
                behind++;
                Savina workload = Objects.requireNonNull(SavinaTrial.workload(answers.question()));
                String reason = reasons.getProperty(workload.name(), ratio.range() + " " + UNKNOWN);
                why(missed, workload.title() + ", " + ratio.text(), reason);
            }
        }
        Markdown.line(text, "workloads behind the best peer", "0", behind, verdict(behind, 0));
        text.append(missed.isEmpty() ? "" : "\n### Why goals of the suite are missed\n\n")
                .append(missed);
    }

    /** Returns the geometric mean of ratios. */
    static double mean(List<Double> ratios) {
        return Math.exp(ratios.stream().mapToDouble(Math::log).average().orElse(Double.NaN));
    }

    private static String verdict(double value, double must) {
        return Double.isNaN(value) ? "not measured" : value <= must ? "met" : "**missed**";
    }

    private static void why(StringBuilder text, String what, String reason) {
        text.append("- **").append(what).append(".** ").append(reason).append('\n');
    }

    /** The reasons for goals that have been missed, by the name of the workload or of the mean. */
    static Properties reasons() throws IOException {
        var reasons = new Properties();
        try (InputStream file = SavinaTable.class.getResourceAsStream("savina-reasons.properties")) {
            reasons.load(new java.io.InputStreamReader(
                    Objects.requireNonNull(file), java.nio.charset.StandardCharsets.UTF_8));
        }
        return reasons;
    }
}
