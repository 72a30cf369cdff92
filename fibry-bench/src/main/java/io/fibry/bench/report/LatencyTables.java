package io.fibry.bench.report;

import io.fibry.bench.latency.Latency;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Latencies as tables with one column per percentile: a table for each {@link Latency}, and a row for each case and
 * peer.
 */
final class LatencyTables {

    private static final String COMPARED = "p99";

    private static final String INTRODUCTION = """

        A latency counts from the due time of a message or a beat. If a sender stops for a while, all messages that are due
        meanwhile have a latency. The rate is in messages per second. With the load "half", platform threads spin on half of
        the processors. The column "micros" has the duration of a handler, "millis" the period of a timer. A figure is the
        median of the forks. A fork is discarded and repeated if the machine stalls for more than 0.1 % of the measurement,
        as seen by a thread that reads the clock each millisecond. The time for which this thread waits for a processor does
        not count, so a stall during such a wait is not detected. The last column is the p99 relative to the p99 of Fibry in the adjacent fork; above 1, Fibry is better.
        """;

    /** A column; the metric is empty for the primary one, the median. */
    private record Column(String heading, String metric) {}

    private static final List<Column> OPEN_LOOP = List.of(
            new Column("p50", ""),
            new Column("p99", "p99"),
            new Column("p99.9", "p99.9"),
            new Column("max", "max"),
            new Column("sender late, p99.9", "sender-p99.9"));
    private static final List<Column> FLOOD = Stream.concat(
                    OPEN_LOOP.stream(), Stream.of(new Column("flood, messages", "flood")))
            .toList();
    private static final List<Column> BURN = List.of(
            new Column("thread p50", ""),
            new Column("p99", "p99"),
            new Column("max", "max"),
            new Column("echo p50", "echo-p50"),
            new Column("p99", "echo-p99"),
            new Column("max", "echo-max"),
            new Column("processors burned", "burned"));
    private static final List<Column> TICKS = List.of(
            new Column("p50", ""),
            new Column("p99", "p99"),
            new Column("max", "max"),
            new Column("mean", "mean"),
            new Column("ticks handled", "ticks"),
            new Column("processors", "cores"),
            new Column("heap per actor", "heap"));

    private LatencyTables() {}

    private static List<Column> columns(Latency latency) {
        return switch (latency) {
            case TELL, ASK, COMPUTE -> OPEN_LOOP;
            case FLOOD -> FLOOD;
            case BURN -> BURN;
            case TICKS -> TICKS;
        };
    }

    /** Returns whether these tables contain the question. */
    static boolean have(Question question) {
        return question.benchmark().startsWith(Latency.class.getName() + ".");
    }

    /** Returns the tables; empty if no latency was measured. */
    static String of(List<Answers> all) {
        Map<Question, Answers> byQuestion = all.stream()
                .filter(answers -> have(answers.question()))
                .collect(Collectors.toMap(Answers::question, Function.identity()));
        var text = new StringBuilder(byQuestion.isEmpty() ? "" : INTRODUCTION);
        for (Latency latency : Latency.values()) {
            List<SortedMap<String, String>> cases = latency.cases().stream()
                    .filter(params -> byQuestion.containsKey(question(latency, params, "")))
                    .toList();
            if (!cases.isEmpty()) {
                head(text, latency, cases.getFirst());
                cases.forEach(params -> rows(text, latency, params, byQuestion));
            }
        }
        return text.toString();
    }

    private static Question question(Latency latency, Map<String, String> params, String metric) {
        return Question.of(latency.benchmark(), params, metric);
    }

    private static void head(StringBuilder text, Latency latency, Map<String, String> params) {
        text.append("\n## ").append(latency.title()).append("\n\n");
        var cells = new ArrayList<Object>(params.keySet());
        cells.add("peer");
        columns(latency).forEach(column -> cells.add(column.heading()));
        cells.add("forks");
        cells.add(COMPARED + ", ours = 1");
        Markdown.line(text, cells.toArray());
        text.append("|").append("---|".repeat(cells.size())).append("\n");
    }

    private static void rows(
            StringBuilder text, Latency latency, Map<String, String> params, Map<Question, Answers> all) {
        Answers medians = Objects.requireNonNull(all.get(question(latency, params, "")));
        Answers compared = all.getOrDefault(question(latency, params, COMPARED), medians);
        for (Figure figure : compared.figures().stream()
                .sorted(Comparator.comparingDouble(Figure::median))
                .toList()) {
            List<Object> cells = beginning(params, figure.peer());
            for (Column column : columns(latency)) {
                cells.add(cell(all.get(question(latency, params, column.metric())), figure.peer()));
            }
            cells.add(figure.forks().size());
            cells.add(Markdown.cost(figure, compared.ours()));
            Markdown.line(text, cells.toArray());
        }
        medians.gaps().forEach((peer, why) -> {
            List<Object> cells = beginning(params, peer);
            columns(latency).forEach(column -> cells.add("–"));
            cells.add("");
            cells.add(Markdown.cell(why));
            Markdown.line(text, cells.toArray());
        });
    }

    private static List<Object> beginning(Map<String, String> params, String peer) {
        var cells = new ArrayList<Object>();
        params.values().forEach(value -> cells.add(Titles.value(value)));
        cells.add(PeerNames.isOurs(peer) ? "**" + PeerNames.title(peer) + "**" : PeerNames.title(peer));
        return cells;
    }

    private static String cell(@Nullable Answers answers, String peer) {
        Figure figure = answers == null ? null : answers.of(peer);
        return figure == null ? "–" : Unit.of(figure.unit(), figure.median()).text(figure.median());
    }
}
