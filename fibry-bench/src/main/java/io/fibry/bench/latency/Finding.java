package io.fibry.bench.latency;

import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A result of a {@link LatencyProgram}, which prints one result per line.
 *
 * @param name the name, such as p99
 * @param value the value
 * @param unit the unit in JMH's notation
 */
public record Finding(String name, double value, String unit) {

    private static final Pattern LINE = Pattern.compile("^(\\S+) = (\\S+) (\\S+)$", Pattern.MULTILINE);

    /** Returns the line that a program prints. */
    public String line() {
        return String.format(Locale.ROOT, "%s = %.3f %s", name, value, unit);
    }

    /** Returns all results in the output of a program, and ignores other lines. */
    public static List<Finding> in(String output) {
        return LINE.matcher(output).results().map(Finding::of).toList();
    }

    private static Finding of(MatchResult line) {
        return new Finding(line.group(1), Double.parseDouble(line.group(2)), line.group(3));
    }
}
