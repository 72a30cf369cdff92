package io.fibry.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Loads servers from outside, by turns, each server and each client in a process of its own: TCP with {@code ab}, HTTP with
 * {@code wrk}. Prints requests per second as medians, failed requests, and the ratios to the first server.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=NetComparison
 * -Dargs="5 FIBRY_TCP FIBRY_2_4_1_TCP FIBRY_THREADS_TCP"}
 */
final class NetComparison {

    private static final Pattern AB_RATE = Pattern.compile("Requests per second:\\s+([0-9.]+)");
    private static final Pattern AB_FAILED = Pattern.compile("Failed requests:\\s+([0-9]+)");
    private static final Pattern WRK_RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");
    private static final Pattern WRK_FAILED = Pattern.compile("Non-2xx or 3xx responses:\\s+([0-9]+)");

    private NetComparison() {}

    private record Result(double rate, long failed) {}

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length < 2) {
            System.err.println("Usage: rounds SERVER... with servers " + Arrays.toString(NetServer.values()));
            System.exit(2);
        }
        Map<NetServer, List<Result>> results = new LinkedHashMap<>();
        for (int round = 0; round < Integer.parseInt(args[0]); round++) {
            for (String name : Arrays.asList(args).subList(1, args.length)) {
                NetServer server = NetServer.valueOf(name);
                Result result = load(server);
                System.out.printf(Locale.ROOT, "%-20s %9.0f%n", server, result.rate());
                results.computeIfAbsent(server, s -> new ArrayList<>()).add(result);
            }
        }
        double first = 0;
        for (var entry : results.entrySet()) {
            double rate = median(entry.getValue());
            first = first == 0 ? rate : first;
            System.out.printf(
                    Locale.ROOT,
                    "%-20s %9.0f requests/s, %d failed, the first is %.2f times as fast%n",
                    entry.getKey(),
                    rate,
                    entry.getValue().stream().mapToLong(Result::failed).sum(),
                    first / rate);
        }
    }

    private static Result load(NetServer server) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        NetServer.class.getName(),
                        server.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            String url = "http://127.0.0.1:" + output.readLine() + "/";
            boolean tcp = server.name().endsWith("TCP");
            if (!tcp) { // one peer's acceptor does not outlive a first run of ab, so that TCP has no warm-up
                client(false, url, 2);
            }
            return client(tcp, url, 8);
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private static Result client(boolean tcp, String url, int seconds) throws IOException, InterruptedException {
        if (tcp) {
            String output = run("ab", "-q", "-k", "-n", "50000", "-c", "100", url);
            if (!AB_RATE.matcher(output).find()) { // ab gives up when a connection is reset or times out
                System.out.println(output.strip());
                return new Result(0, 50_000);
            }
            return new Result(number(AB_RATE, output), (long) number(AB_FAILED, output));
        }
        String output = run("wrk", "-t1", "-c64", "-d" + seconds + "s", url);
        boolean failures = WRK_FAILED.matcher(output).find();
        return new Result(number(WRK_RATE, output), failures ? (long) number(WRK_FAILED, output) : 0);
    }

    private static String run(String... command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            process.waitFor();
            return output;
        } catch (IOException e) {
            System.err.println(command[0] + " is missing. On Debian: apt-get install apache2-utils wrk");
            System.exit(1);
            throw new AssertionError(e);
        }
    }

    private static double number(Pattern pattern, String output) {
        Matcher matcher = pattern.matcher(output);
        if (!matcher.find()) {
            throw new IllegalStateException("no result in: " + output);
        }
        return Double.parseDouble(matcher.group(1));
    }

    private static double median(List<Result> results) {
        double[] rates = results.stream().mapToDouble(Result::rate).sorted().toArray();
        return rates[rates.length / 2];
    }
}
