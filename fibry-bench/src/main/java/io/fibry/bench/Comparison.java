package io.fibry.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Compares two peers at one work, by turns: every run is a JVM of its own, A B A B and so on, because these machines change
 * their speed from minute to minute. Prints the medians and the ratio.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=Comparison -Dargs="CREATE FIBRY FIBRY_2_4_1 5"}
 */
final class Comparison {

    private static final int WARM_UPS = 3;
    private static final int ROUNDS = 5;

    private Comparison() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 3 && args[0].equals("run")) {
            run(Work.valueOf(args[1]), Peers.valueOf(args[2]));
            return;
        }
        if (args.length < 3) {
            System.err.println("Usage: WORK PEER PEER [forks] [work of the second peer]");
            System.err.println(
                    "Works: " + Arrays.toString(Work.values()) + ", peers: " + Arrays.toString(Peers.values()));
            System.exit(2);
        }
        Work work = Work.valueOf(args[0]);
        int forks = args.length > 3 ? Integer.parseInt(args[3]) : 5;
        Work other = args.length > 4 ? Work.valueOf(args[4]) : work;
        compare(work, Peers.valueOf(args[1]), other, Peers.valueOf(args[2]), forks);
    }

    private static void compare(Work work, Peers a, Work otherWork, Peers b, int forks)
            throws IOException, InterruptedException {
        var ofA = new ArrayList<double[]>();
        var ofB = new ArrayList<double[]>();
        for (int i = 0; i < forks; i++) {
            ofA.add(fork(work, a));
            ofB.add(fork(otherWork, b));
        }
        print(work, a, ofA);
        print(otherWork, b, ofB);
        double[] ratios = new double[forks];
        double[] memory = new double[forks];
        for (int i = 0; i < forks; i++) {
            ratios[i] = ofA.get(i)[0] / ofB.get(i)[0];
            memory[i] = ofA.get(i)[1] / ofB.get(i)[1];
        }
        System.out.printf(
                Locale.ROOT,
                "%-40s %.2f (%.2f to %.2f), of peak memory %.2f%n%n",
                "ratio, pair by pair",
                median(ratios),
                Arrays.stream(ratios).min().orElseThrow(),
                Arrays.stream(ratios).max().orElseThrow(),
                median(memory));
    }

    private static void print(Work work, Peers peer, List<double[]> results) {
        double[] costs = results.stream().mapToDouble(r -> r[0]).toArray();
        double[] memory = results.stream().mapToDouble(r -> r[1]).toArray();
        System.out.printf(
                Locale.ROOT,
                "%-40s %-14s %10.1f %s (%.1f to %.1f), peak memory %.0f MB%n",
                work.title,
                peer,
                median(costs),
                work.unit,
                Arrays.stream(costs).min().orElseThrow(),
                Arrays.stream(costs).max().orElseThrow(),
                median(memory));
    }

    /** Runs the work in a JVM of its own; the result is the cost of an operation and the peak memory in MB. */
    private static double[] fork(Work work, Peers peer) throws IOException, InterruptedException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java,
                        "-Xmx4g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Comparison.class.getName(),
                        "run",
                        work.name(),
                        peer.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8).trim();
        if (process.waitFor() != 0) {
            throw new IllegalStateException(work + " with " + peer + " failed");
        }
        return Arrays.stream(output.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }

    private static void run(Work work, Peers which) throws IOException, InterruptedException {
        Peer peer = which.open();
        boolean slow = work.unit.equals("ms");
        for (int i = 0; i < (slow ? 1 : WARM_UPS); i++) {
            work.once(peer);
        }
        double[] costs = new double[slow ? 1 : ROUNDS];
        for (int i = 0; i < costs.length; i++) {
            costs[i] = work.once(peer);
        }
        System.out.println(median(costs) + " " + peakMemoryInMegabytes());
        System.exit(0);
    }

    private static double peakMemoryInMegabytes() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return Double.NaN;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst()
                .orElse(Double.NaN);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
