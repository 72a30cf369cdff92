package io.fibry.examples;

import io.fibry.examples.ab.Ab;
import io.fibry.examples.ab.AbRounds;
import io.fibry.examples.ab.HelloProcess;
import java.util.Locale;

/**
 * Runs "ab" against TcpHello, alternating between virtual and platform threads. Arguments: the number of rounds, and
 * the number of requests per round.
 */
public final class AbTcpHello {

    private AbTcpHello() {}

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        var ab = new Ab(args.length > 1 ? Integer.parseInt(args[1]) : 50_000);
        if (!ab.isInstalled()) {
            System.err.println("The program ab is missing. On Debian or Ubuntu: apt-get install apache2-utils");
            System.exit(1);
        }

        var fibers = new AbRounds("fibers");
        var threads = new AbRounds("threads");
        try (var onFibers = new HelloProcess("fibers");
                var onThreads = new HelloProcess("threads")) {
            for (int i = 0; i <= rounds; i++) {
                System.out.println(i == 0 ? "warm-up" : "round " + i + " of " + rounds);
                fibers.load(ab, onFibers, i > 0);
                threads.load(ab, onThreads, i > 0);
            }
        }
        System.out.printf("median%n  %s%n  %s%n", fibers, threads);
        System.out.printf(Locale.ROOT, "ratio %.2f%n", fibers.median() / threads.median());
    }
}
