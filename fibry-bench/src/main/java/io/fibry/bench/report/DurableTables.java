package io.fibry.bench.report;

import io.fibry.bench.durable.Durability;
import io.fibry.bench.durable.DurablePeer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A table for each {@link Durability}, with a row for each database and peer. */
final class DurableTables {

    private static final String INTRODUCTION = """

        Each account has a number as its state, and all peers store the same bytes. The tables of a fork are new. All peers have a
        pool of 16 connections. After a measurement the accounts are read again: their balances, and the number of events,
        must be those of the acknowledged deposits. The processor time is per event, of the program and of all processes of the
        database server; H2 and its cache are part of the program. The last column is relative to Fibry in the adjacent fork; above 1, Fibry is
        better.
        """;

    /** A column; the metric is empty for the primary one. */
    private record Column(String heading, String metric) {}

    private static final List<Column> PROCESSORS =
            List.of(new Column("processors", "cpu"), new Column("of the server", "serverCpu"));
    private static final List<Column> REMINDERS =
            List.of(PROCESSORS.getFirst(), PROCESSORS.getLast(), new Column("heap of the program", "heap"));
    private static final List<Column> LATENCIES =
            List.of(new Column("p99", "p99"), new Column("p99.9", "p99.9"), new Column("max", "max"));
    private static final List<Column> COUNTED = Stream.concat(
                    LATENCIES.stream(), Stream.of(new Column("in a fork", "count")))
            .toList();
    private static final List<Column> RATE = List.of(
            new Column("latency p50", "p50"), new Column("p99", "p99"), PROCESSORS.getFirst(), PROCESSORS.getLast());

    private DurableTables() {}

    private static List<Column> columns(Durability durability) {
        return switch (durability) {
            case EVENTS -> RATE;
            case ASK, RECOVERY -> LATENCIES;
            case NOTICE, LATENESS -> COUNTED;
            case PROJECTION -> PROCESSORS;
            case REMINDERS -> REMINDERS;
        };
    }

    /** Returns whether these tables contain the question. */
    static boolean have(Question question) {
        return question.benchmark().startsWith(Durability.class.getName() + ".");
    }

    /** Returns the tables; empty if no durable entities were measured. */
    static String of(List<Answers> all) {
        Map<Question, Answers> byQuestion = all.stream()
                .filter(answers -> have(answers.question()))
                .collect(Collectors.toMap(Answers::question, Function.identity()));
        var text = new StringBuilder(byQuestion.isEmpty() ? "" : INTRODUCTION);
        for (Durability durability : Durability.values()) {
            List<SortedMap<String, String>> cases = durability.cases().stream()
                    .filter(params -> byQuestion.containsKey(question(durability, params, "")))
                    .toList();
            if (!cases.isEmpty()) {
                head(text, durability, cases.getFirst());
                cases.forEach(params -> rows(text, durability, params, byQuestion));
            }
        }
        return text.toString();
    }

    private static Question question(Durability durability, Map<String, String> params, String metric) {
        return Question.of(durability.benchmark(), params, metric);
    }

    private static void head(StringBuilder text, Durability durability, Map<String, String> params) {
        text.append("\n## ").append(durability.title()).append("\n\n");
        var cells = new ArrayList<Object>(params.keySet());
        cells.addAll(List.of("peer", "median", "lowest – highest"));
        columns(durability).forEach(column -> cells.add(column.heading()));
        cells.addAll(List.of("forks", "cost, ours = 1"));
        Markdown.line(text, cells.toArray());
        text.append("|").append("---|".repeat(cells.size())).append("\n");
    }

    private static void rows(
            StringBuilder text, Durability durability, Map<String, String> params, Map<Question, Answers> all) {
        Answers answers = Objects.requireNonNull(all.get(question(durability, params, "")));
        for (Figure figure : answers.figures()) {
            Unit unit = Unit.of(figure.unit(), figure.median());
            List<Object> cells = beginning(params, figure.peer());
            cells.add(unit.text(figure.median()));
            cells.add(Unit.number(unit.in(figure.min())) + " – " + Unit.number(unit.in(figure.max())));
            for (Column column : columns(durability)) {
                cells.add(cell(all.get(question(durability, params, column.metric())), figure.peer()));
            }
            cells.add(figure.forks().size());
            cells.add(Markdown.cost(figure, answers.ours()));
            Markdown.line(text, cells.toArray());
        }
        answers.gaps().forEach((peer, why) -> {
            List<Object> cells = beginning(params, peer);
            cells.addAll(List.of("–", "–"));
            columns(durability).forEach(column -> cells.add("–"));
            cells.addAll(List.of("", Markdown.cell(why)));
            Markdown.line(text, cells.toArray());
        });
    }

    private static List<Object> beginning(Map<String, String> params, String peer) {
        var cells = new ArrayList<Object>();
        params.values().forEach(value -> cells.add(Titles.value(value)));
        String title = DurablePeer.valueOf(peer).title();
        cells.add(PeerNames.isOurs(peer) ? "**" + title + "**" : title);
        return cells;
    }

    private static String cell(@Nullable Answers answers, String peer) {
        Figure figure = answers == null ? null : answers.of(peer);
        return figure == null ? "–" : Unit.of(figure.unit(), figure.median()).text(figure.median());
    }
}
