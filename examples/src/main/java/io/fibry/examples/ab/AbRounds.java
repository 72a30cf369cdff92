package io.fibry.examples.ab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The runs of ab against one server. */
public final class AbRounds {

    private final String strategy;
    private final List<AbResult> results = new ArrayList<>();

    public AbRounds(String strategy) {
        this.strategy = strategy;
    }

    /** Runs ab once, and prints the result. It counts for the median only if {@code keep} is set. */
    public void load(Ab ab, HelloProcess server, boolean keep) throws IOException, InterruptedException {
        AbResult result = ab.load(server.port());
        System.out.println("  " + line(result.perSecond(), result.failed()));
        if (keep) {
            results.add(result);
        }
    }

    public double median() {
        return results.stream()
                .mapToDouble(AbResult::perSecond)
                .sorted()
                .skip((results.size() - 1) / 2)
                .findFirst()
                .orElse(Double.NaN);
    }

    @Override
    public String toString() {
        return line(median(), results.stream().mapToInt(AbResult::failed).sum());
    }

    private String line(double perSecond, int failed) {
        return String.format(Locale.ROOT, "%-8s %,8.0f requests/s, %,d failed", strategy, perSecond, failed);
    }
}
