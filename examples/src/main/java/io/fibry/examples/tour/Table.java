package io.fibry.examples.tour;

import java.util.List;
import java.util.Locale;

/** Formats all results as a table. */
public final class Table {

    private Table() {}

    public static String of(List<Result> results) {
        var table = new StringBuilder(row("", "platform threads", "virtual threads", "ratio"));
        for (Result r : results) {
            table.append(
                    r.isComplete()
                            ? row(
                                    r.name(),
                                    r.pace().format(r.platform()),
                                    r.pace().format(r.virtual()),
                                    r.ratio())
                            : row(r.name(), "not measured", "", ""));
        }
        return table.append("ratio: speedup of virtual threads over platform threads")
                .toString();
    }

    private static String row(String name, String platform, String virtual, String ratio) {
        return String.format(Locale.ROOT, "%-30s %18s %18s %10s%n", name, platform, virtual, ratio);
    }
}
