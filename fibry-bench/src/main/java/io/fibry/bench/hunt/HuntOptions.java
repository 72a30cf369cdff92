package io.fibry.bench.hunt;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The options of {@link Hunt}. */
final class HuntOptions {

    static final String USAGE = """
        --seconds N     how long to search (60)
        --from SEED     the first seed (the clock)
        --parallel N    how many systems run at the same time (4)
        --patience N    a system that takes longer than N seconds hangs (40)
        --ignore REGEX  problems that are not reported
        --shrink N      shrinks a failing program for N seconds (180; with --seed 0)
        --seed SEED     runs one program again
        --keep A,B,..   only these steps of it
        --repeat N      how often (1,000)\
        """;

    Duration search = Duration.ofSeconds(60);
    long from = System.nanoTime();
    int parallel = 4;
    Duration patience = Duration.ofSeconds(40);

    @Nullable
    Pattern ignore;

    @Nullable
    Duration shrink;

    @Nullable
    Long seed;

    @Nullable
    String keep;

    int repeat = 1_000;

    /** Reads pairs of a name and a value. */
    static HuntOptions of(String... args) {
        var options = new HuntOptions();
        if (args.length % 2 != 0) {
            throw new IllegalArgumentException("Each option has a value:\n" + USAGE);
        }
        for (int i = 0; i < args.length; i += 2) {
            options.set(args[i], args[i + 1]);
        }
        return options;
    }

    private void set(String name, String value) {
        switch (name) {
            case "--seconds" -> search = Duration.ofSeconds(Long.parseLong(value));
            case "--from" -> from = Long.parseLong(value);
            case "--parallel" -> parallel = Integer.parseInt(value);
            case "--patience" -> patience = Duration.ofSeconds(Long.parseLong(value));
            case "--ignore" -> ignore = Pattern.compile(value);
            case "--shrink" -> shrink = Duration.ofSeconds(Long.parseLong(value));
            case "--seed" -> seed = Long.valueOf(value);
            case "--keep" -> keep = value;
            case "--repeat" -> repeat = Integer.parseInt(value);
            default -> throw new IllegalArgumentException("There is no option " + name + ":\n" + USAGE);
        }
    }

    /** Returns the time limit for shrinking a failing program; zero disables shrinking. */
    Duration shrink() {
        return shrink != null ? shrink : seed == null ? Duration.ofMinutes(3) : Duration.ZERO;
    }

    /** Returns whether the problem is a known one. */
    boolean ignores(Problem problem) {
        return ignore != null && ignore.matcher(problem.toString()).find();
    }
}
