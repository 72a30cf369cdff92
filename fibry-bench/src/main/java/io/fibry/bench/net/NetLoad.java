package io.fibry.bench.net;

import java.io.IOException;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The loads of servers. The clients are well-known programs; their counts of failures are recorded in addition to the
 * rate.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=report.Report -Dargs="full --only NetLoad
 * --name network"}
 */
public enum NetLoad {
    /** 50,000 requests by {@code ab}, 100 at once; the server closes the connection after each answer. */
    TCP {
        @Override
        List<String> command(String url, int seconds) {
            return Ab.command(50_000, url);
        }

        @Override
        void warmUp(String url, int seconds) {} // none
    },
    /** The same after a warm-up run, so that the code of the server is compiled, as in a long-running JVM. */
    TCP_WARM {
        @Override
        List<String> command(String url, int seconds) {
            return TCP.command(url, seconds);
        }
    },
    /** 200,000 requests by {@code ab} on 100 connections that stay open. */
    TCP_KEPT {
        @Override
        List<String> command(String url, int seconds) {
            return Ab.command(200_000, url);
        }

        @Override
        void warmUp(String url, int seconds) {} // none
    },
    /** The same after a warm-up run. */
    TCP_KEPT_WARM {
        @Override
        List<String> command(String url, int seconds) {
            return TCP_KEPT.command(url, seconds);
        }
    },
    /**
     * 64 persistent connections by {@code wrk}, after a warm-up that lasts twice as long: with a warm-up of two
     * seconds, the code of a server was still being compiled during the measurement, to the disadvantage of servers
     * with more code.
     */
    HTTP(
            "wrk",
            "wrk",
            "Requests/sec:\\s+([0-9.]+)",
            "Non-2xx or 3xx responses:\\s+([0-9]+)"
                    + "|Socket errors: connect ([0-9]+), read ([0-9]+), write ([0-9]+), timeout ([0-9]+)") {
        @Override
        List<String> command(String url, int seconds) {
            return List.of("wrk", "-t1", "-c64", "-d" + seconds + "s", url);
        }
    },
    /**
     * 8,000 requests a second, at fixed times, on 64 connections: the 99th percentile of the latencies. The warm-up has
     * the same rate.
     */
    HTTP_OPEN("java", "", "p99.0 = ([0-9.]+) us", "failed = ([0-9]+)") {
        @Override
        List<String> command(String url, int seconds) {
            return Programs.java(OpenLoopClient.class, List.of(), url, "8000", String.valueOf(seconds));
        }

        @Override
        public String unit() {
            return "us/op";
        }

        // The overhead of this library over the servers below it.
        @Override
        public boolean isFor(NetPeer peer) {
            return switch (peer) {
                case FIBRY, JDK, HELIDON, FIBRY_HELIDON -> true;
                default -> false;
            };
        }

        @Override
        @Nullable
        String missing(String path) {
            return null; // the client runs on the JDK of this program
        }
    };

    /**
     * The result of a client.
     *
     * @param value the answered requests per second, or a latency
     * @param failed the requests that failed, or were answered with an error or not at all
     */
    public record Result(double value, long failed) {}

    private final String program;
    private final String debianPackage;
    private final Pattern result;
    private final Pattern failed;

    NetLoad() {
        this("ab", "apache2-utils", Ab.RESULT, Ab.FAILED);
    }

    NetLoad(String program, String debianPackage, String result, String failed) {
        this.program = program;
        this.debianPackage = debianPackage;
        this.result = Pattern.compile(result);
        this.failed = Pattern.compile(failed);
    }

    /** Returns the unit of the result, in JMH's notation. */
    public String unit() {
        return "ops/s";
    }

    /** Returns whether this load applies to a peer. */
    public boolean isFor(NetPeer peer) {
        return isHttp() || (peer != NetPeer.HELIDON && peer != NetPeer.FIBRY_HELIDON);
    }

    boolean isHttp() {
        return this == HTTP || this == HTTP_OPEN;
    }

    /** Returns whether the server of a TCP load answers more than one request per connection. */
    boolean keepsConnections() {
        return this == TCP_KEPT || this == TCP_KEPT_WARM;
    }

    abstract List<String> command(String url, int seconds);

    /** Runs the load once, except in the rows without a warm-up. */
    void warmUp(String url, int seconds) throws IOException, InterruptedException {
        Programs.run(command(url, seconds));
    }

    /** Returns a sentence with the missing programs and their installation, or null if none is missing. */
    public @Nullable String missing() {
        return missing(Programs.path());
    }

    @Nullable
    String missing(String path) {
        return Programs.has(program, path)
                ? null
                : program + " is not on the PATH; on Debian: apt-get install " + debianPackage;
    }

    /**
     * Starts a server of this peer, loads it, and ends it.
     *
     * @param seconds the duration of the load, if it is limited by time; the warm-up then lasts twice as long
     * @throws IOException if the server does not start, or if the client fails; the message gives the reason
     */
    public Result measure(NetPeer peer, int seconds, List<String> jvmOptions) throws IOException, InterruptedException {
        try (NetServer server = NetServer.start(this, peer, jvmOptions)) {
            warmUp(server.url(), 2 * seconds);
            return read(Programs.run(command(server.url(), seconds)));
        }
    }

    /** Parses the result and the failures in the output of the client. */
    Result read(String output) throws IOException {
        Matcher found = result.matcher(output);
        if (!found.find()) {
            throw new IOException(program + " gave no result: " + output.strip());
        }
        return new Result(
                Double.parseDouble(found.group(1)),
                failed.matcher(output).results().mapToLong(NetLoad::sum).sum());
    }

    /** Returns the sum of the numbers of failures. Clients print most of these lines only after failures. */
    private static long sum(MatchResult line) {
        long sum = 0;
        for (int group = 1; group <= line.groupCount(); group++) {
            String number = line.group(group);
            sum += number == null ? 0 : Long.parseLong(number);
        }
        return sum;
    }

    /** The client {@code ab}. */
    private static final class Ab {

        static final String RESULT = "Requests per second:\\s+([0-9.]+)";
        static final String FAILED = "(?:Failed requests|Write errors|Non-2xx responses):\\s+([0-9]+)";

        private static final String AT_ONCE = "100";

        static List<String> command(int requests, String url) {
            return List.of("ab", "-q", "-k", "-n", String.valueOf(requests), "-c", AT_ONCE, url);
        }
    }
}
