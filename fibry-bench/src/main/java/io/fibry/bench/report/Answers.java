package io.fibry.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The results of one question.
 *
 * @param question the question
 * @param figures the figures, best peer first; in the order of the results if the metric is neutral
 * @param gaps peers without figures or with incomplete figures, with the reason
 */
record Answers(Question question, List<Figure> figures, Map<String, String> gaps) {

    /** Returns the questions of a run, sorted, each with its figures and gaps. */
    static List<Answers> of(List<Figure> figures, Map<String, String> gaps) {
        var byQuestion = new TreeMap<Question, Answers>();
        for (Figure figure : figures) {
            answers(byQuestion, figure.question().asShown()).figures().add(figure);
        }
        for (var gap : gaps.entrySet()) {
            Gap read = Gap.read(gap.getKey());
            Answers answers = answers(byQuestion, read.question().asShown());
            Figure known = answers.of(read.peer());
            if (known == null || known.question().equals(read.question())) { // else the other benchmark has it
                answers.gaps().put(read.peer(), gap.getValue());
            }
        }
        for (Answers answers : byQuestion.values()) {
            Comparator<Figure> order = Comparator.comparingDouble(Figure::median);
            if (!answers.question().isNeutral()) {
                answers.figures().sort(answers.moreIsBetter() ? order.reversed() : order);
            }
        }
        return List.copyOf(byQuestion.values());
    }

    private static Answers answers(Map<Question, Answers> all, Question question) {
        return all.computeIfAbsent(question, q -> new Answers(q, new ArrayList<>(), new LinkedHashMap<>()));
    }

    boolean moreIsBetter() {
        return !figures.isEmpty() && figures.get(0).moreIsBetter();
    }

    /**
     * Returns the figure of this library, the reference for the other peers; null if it has none, or if the metric is
     * neutral.
     */
    @Nullable
    Figure ours() {
        return question.isNeutral() ? null : of(PeerNames.ours(figures.stream().map(Figure::peer)));
    }

    /**
     * Returns whether the question has a section. Latencies and durable entities have separate tables, peak memory is
     * shown for many blocked handlers, failures are shown if there are any, and wake-ups are a column in the section of
     * the time.
     */
    boolean isShown() {
        if (LatencyTables.have(question) || DurableTables.have(question)) {
            return false;
        }
        return switch (question.metric()) {
            case "peakMemory" -> question.name().startsWith("Blocked");
            case "failedRequests" -> worthAChart();
            case Question.WAKE_UPS -> false;
            default -> true;
        };
    }

    /** Returns whether any figure is not zero. */
    boolean worthAChart() {
        return figures.stream().anyMatch(f -> f.max() > 0);
    }

    @Nullable
    Figure of(String peer) {
        return figures.stream().filter(f -> f.peer().equals(peer)).findFirst().orElse(null);
    }

    /** Returns the unit of all figures of the question. */
    Unit unit() {
        double smallest = figures.stream().mapToDouble(Figure::median).min().orElse(1);
        return Unit.of(figures.isEmpty() ? "" : figures.get(0).unit(), smallest);
    }

    /** A trial with a gap, parsed from {@link Trial#id()}. */
    private record Gap(Question question, String peer) {

        static Gap read(String id) {
            int space = id.indexOf(' ');
            var params = new TreeMap<String, String>();
            String list = id.substring(space + 2, id.length() - 1);
            for (String param : list.isEmpty() ? new String[0] : list.split(", ", -1)) {
                String[] parts = param.split("=", 2);
                params.put(parts[0], parts[1]);
            }
            return new Gap(Question.of(id.substring(0, space), params, ""), params.getOrDefault(Trial.PEER, ""));
        }
    }
}
