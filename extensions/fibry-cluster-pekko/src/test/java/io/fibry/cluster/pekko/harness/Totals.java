package io.fibry.cluster.pekko.harness;

import io.fibry.cluster.pekko.harness.Events.Result;
import java.util.Map;
import java.util.TreeMap;

/** The counts of many events, by kind of event. Not thread-safe. */
final class Totals {

    private static final String ROW = "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |%n";

    private static final class Row {
        long events;
        final Report report = new Report();

        void add(Report other) {
            events++;
            report.add(other);
        }

        String format(String name) {
            return ROW.formatted(
                    name,
                    events,
                    report.sent,
                    report.asked,
                    report.handled,
                    report.answered,
                    report.refused,
                    report.failed,
                    report.expired,
                    report.reordered,
                    report.lostToFaults,
                    report.violations());
        }
    }

    private final Map<String, Row> rows = new TreeMap<>();
    private final Row all = new Row();

    void add(Result result) {
        rows.computeIfAbsent(result.event(), event -> new Row()).add(result.report());
        all.add(result.report());
    }

    long events() {
        return all.events;
    }

    long violations() {
        return all.report.violations();
    }

    /** Returns a table with a row for each kind of event. */
    @Override
    public String toString() {
        var text = new StringBuilder();
        text.append(ROW.formatted(
                "event",
                "times",
                "told",
                "asked",
                "handled",
                "answered",
                "refused",
                "failed",
                "expired",
                "reordered",
                "lost to the fault",
                "violations"));
        text.append("|---|").append("--:|".repeat(11)).append("%n".formatted());
        rows.forEach((name, row) -> text.append(row.format(name)));
        return text.append(all.format("all")).toString();
    }
}
