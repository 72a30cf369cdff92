package io.fibry.examples;

import io.fibry.examples.tour.Asking;
import io.fibry.examples.tour.Comparison;
import io.fibry.examples.tour.Creation;
import io.fibry.examples.tour.HttpLoad;
import io.fibry.examples.tour.Machine;
import io.fibry.examples.tour.Pace;
import io.fibry.examples.tour.Result;
import io.fibry.examples.tour.Table;
import io.fibry.examples.tour.TcpLoad;
import io.fibry.examples.tour.Telling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares platform and virtual threads on this machine. The argument is the length of a round in ms, by default 1200.
 */
public final class Tour {

    private Tour() {}

    public static void main(String[] args) {
        var comparison = new Comparison(Duration.ofMillis(args.length > 0 ? Long.parseLong(args[0]) : 1200));
        System.out.println(Machine.describe());

        List<Result> results = new ArrayList<>();
        results.add(comparison.of("create an idle actor", Pace.TIME_EACH, new Creation()));
        results.add(comparison.of("ask, and wait for the reply", Pace.TIME_EACH, new Asking()));
        results.add(comparison.of("tell, and do not wait", Pace.PER_SECOND, new Telling()));
        results.add(comparison.of("HTTP hello, 100 connections", Pace.PER_SECOND, new HttpLoad()));
        results.add(comparison.of("TCP hello, one per connection", Pace.PER_SECOND, new TcpLoad()));

        System.out.printf("%n%s%n", Table.of(results));
    }
}
