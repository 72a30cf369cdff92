package io.fibry.bench.hunt;

import java.util.Optional;

/**
 * Searches for faults of the kernel: runs random actor systems, and checks that each message and each ask has exactly
 * one outcome, that each actor ends, and that no resource remains after the close. Prints the smallest failing program,
 * and the command that repeats it.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=hunt.Hunt -Dargs="--seconds 60"}
 */
final class Hunt {

    private Hunt() {}

    public static void main(String[] args) throws InterruptedException {
        if (System.getProperty("io.fibry.closeGrace") == null) {
            System.setProperty("io.fibry.closeGrace", "PT0.05S"); // before the kernel reads it
        }
        boolean clean = run(HuntOptions.of(args));
        System.out.flush();
        System.exit(clean ? 0 : 1); // threads of a hang may remain
    }

    /** Returns true if no program has failed. */
    static boolean run(HuntOptions options) throws InterruptedException {
        return options.seed == null ? search(options) : repeat(options, options.seed);
    }

    private static boolean search(HuntOptions options) throws InterruptedException {
        System.out.printf(
                "Java %s, %s processors, seeds from %d%n",
                System.getProperty("java.version"), Runtime.getRuntime().availableProcessors(), options.from);
        var hunter = new Hunter(options, Plant.NONE, number -> Generator.program(options.from + number));
        Optional<Finding> finding = hunter.run();
        System.out.printf("%,d systems in %.1f s%n", hunter.runs(), hunter.seconds());
        finding.ifPresent(f -> report(options, f));
        return finding.isEmpty();
    }

    private static boolean repeat(HuntOptions options, long seed) throws InterruptedException {
        Program all = Generator.program(seed);
        Program program = options.keep == null ? all : all.keep(options.keep);
        System.out.println(Listing.of(program));
        var hunter = new Hunter(options, Plant.NONE, number -> number < options.repeat ? program : null);
        Optional<Finding> finding = hunter.run();
        finding.ifPresent(f -> {
            System.out.println(f.problem());
            System.out.printf("run %d, after %.1f s%n", f.runs(), f.seconds());
            System.out.println(ChildRuns.FAILED + f.problem().kind());
            shrink(options, f);
        });
        if (finding.isEmpty()) {
            System.out.printf("%,d runs without a problem%n", hunter.runs());
        }
        return finding.isEmpty();
    }

    private static void report(HuntOptions options, Finding finding) {
        System.out.printf(
                "After %.1f s: %s%n%n%s%n", finding.seconds(), finding.problem(), Listing.of(finding.program()));
        shrink(options, finding);
    }

    private static void shrink(HuntOptions options, Finding finding) {
        if (options.shrink().isZero()) {
            return;
        }
        var runs = new ChildRuns(options, finding.problem());
        if (!runs.reproduces(finding.program())) {
            System.out.println("\nThe failure has not appeared again, so the program cannot be shrunk.");
            return;
        }
        Program smallest = new Shrinker(finding.program(), runs).shrink();
        System.out.printf(
                "%nShrunk%s:%n%s%n",
                runs.isLate() ? ", not to the end: --shrink gives more time" : "", Listing.of(smallest));
    }
}
