package io.fibry.bench.latency;

import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A figure that a {@link LatencyProgram} has found. It prints each in a line.
 *
 * @param name the name, such as p99
 * @param value how much
 * @param unit as JMH writes it
 */
public record Finding(String name, double value, String unit) {

    private static final Pattern LINE = Pattern.compile("^(\\S+) = (\\S+) (\\S+)$", Pattern.MULTILINE);

    String line() {
        return String.format(Locale.ROOT, "%s = %.3f %s", name, value, unit);
    }

    /** All figures in the output of a program; other lines are left out. */
    static List<Finding> in(String output) {
        return LINE.matcher(output).results().map(Finding::of).toList();
    }

    private static Finding of(MatchResult line) {
        return new Finding(line.group(1), Double.parseDouble(line.group(2)), line.group(3));
    }
}
