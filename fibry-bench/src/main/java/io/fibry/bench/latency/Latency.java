package io.fibry.bench.latency;

import io.fibry.bench.net.Programs;
import io.fibry.bench.peers.Peer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The measurements of latencies, which count from the due time of a message or beat.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=report.Report -Dargs="latency"}
 */
public enum Latency {
    /** From a {@code tell} until the actor handles the message. */
    TELL("Open loop: from tell until handled") {
        @Override
        public List<SortedMap<String, String>> cases() {
            return ratesAndLoads();
        }

        @Override
        List<Finding> find(Peer peer, Map<String, String> params, Span span) throws InterruptedException {
            return OneToOne.tell(peer, number(params, "rate"), busyProcessors(params), span);
        }
    },
    /** From an ask until the reply is in the asker's future. */
    ASK("Open loop: from ask until the reply is there") {
        @Override
        public List<SortedMap<String, String>> cases() {
            return ratesAndLoads();
        }

        @Override
        List<Finding> find(Peer peer, Map<String, String> params, Span span) throws InterruptedException {
            return OneToOne.ask(peer, number(params, "rate"), busyProcessors(params), span);
        }
    },
    /** From an ask until the reply is there. The handlers compute; a client is a future or a waiting virtual thread. */
    COMPUTE("Open loop: 20 asks each millisecond, from ask until the reply is there; 16 actors compute for 40 µs"
            + " each") {
        @Override
        public List<LatencyPeer> peers() {
            return List.of(LatencyPeer.FIBRY, LatencyPeer.VIRTUAL_THREADS);
        }

        @Override
        public List<SortedMap<String, String>> cases() {
            return List.of(
                    new TreeMap<>(Map.of("client", "future", "rate", "20000")),
                    new TreeMap<>(Map.of("client", "thread", "rate", "20000")));
        }

        @Override
        List<Finding> find(Peer peer, Map<String, String> params, Span span) {
            var client = ComputingActors.Client.of(params.getOrDefault("client", "future"));
            return ComputingActors.measure(peer, client, number(params, "rate"), span);
        }
    },
    /** From a message to one of 1,000 actors until it is handled, while another actor floods itself. */
    FLOOD("Beside an actor that floods itself: from tell until one of the others handles it") {
        @Override
        public List<LatencyPeer> peers() {
            return List.of(
                    LatencyPeer.FIBRY,
                    LatencyPeer.PEKKO,
                    LatencyPeer.PEKKO_FAIR,
                    LatencyPeer.KOTLIN,
                    LatencyPeer.VIRTUAL_THREADS);
        }

        @Override
        public List<SortedMap<String, String>> cases() {
            return List.of(new TreeMap<>(Map.of("rate", "10000", "others", "1000")));
        }

        @Override
        List<Finding> find(Peer peer, Map<String, String> params, Span span) {
            return Flood.measure(peer, number(params, "others"), number(params, "rate"), span);
        }
    },
    /**
     * The delay of other virtual threads of the program while handlers occupy all processors; the parameter is in
     * microseconds.
     */
    BURN("Beside handlers that burn all processors: a virtual thread that sleeps 10 ms, and an echo on one") {
        @Override
        public List<LatencyPeer> peers() {
            return List.of(LatencyPeer.FIBRY, LatencyPeer.PEKKO, LatencyPeer.KOTLIN, LatencyPeer.VIRTUAL_THREADS);
        }

        @Override
        public List<SortedMap<String, String>> cases() {
            var cases = new ArrayList<SortedMap<String, String>>();
            for (String micros : List.of("100", "1000", "10000")) {
                cases.add(new TreeMap<>(Map.of("micros", micros)));
            }
            return cases;
        }

        @Override
        List<Finding> find(Peer peer, Map<String, String> params, Span span) throws IOException, InterruptedException {
            return Burn.measure(peer, Duration.ofNanos(number(params, "micros") * 1_000L), span);
        }
    },
    /** From the due time of a tick until the actor handles it; each actor has a timer with this period. */
    TICKS("Actors with a periodic timer each: from the due time until the actor handles the tick") {
        @Override
        public List<LatencyPeer> peers() {
            return List.of(
                    LatencyPeer.FIBRY,
                    LatencyPeer.GO,
                    LatencyPeer.EXECUTOR,
                    LatencyPeer.KOTLIN,
                    LatencyPeer.VIRTUAL_THREADS,
                    LatencyPeer.PEKKO);
        }

        @Override
        public List<SortedMap<String, String>> cases() {
            var cases = new ArrayList<SortedMap<String, String>>();
            for (String actors : List.of("200000", "1000000")) {
                cases.add(new TreeMap<>(Map.of("actors", actors, "millis", "1000")));
            }
            return cases;
        }

        @Override
        List<Finding> find(Peer peer, Map<String, String> params, Span span) {
            return Ticks.measure(peer, number(params, "actors"), Duration.ofMillis(number(params, "millis")), span);
        }
    };

    private final String title;

    Latency(String title) {
        this.title = title;
    }

    /** Returns the display name. */
    public String title() {
        return title;
    }

    /** Returns the name in results. */
    public String benchmark() {
        return getDeclaringClass().getName() + "." + name().toLowerCase(Locale.ROOT);
    }

    /** Returns the participating peers. */
    public List<LatencyPeer> peers() {
        return List.of(LatencyPeer.FIBRY, LatencyPeer.PEKKO, LatencyPeer.VIRTUAL_THREADS);
    }

    /** Returns the values of the parameters. */
    public abstract List<SortedMap<String, String>> cases();

    /** Measures in this JVM. */
    abstract List<Finding> find(Peer peer, Map<String, String> params, Span span)
            throws IOException, InterruptedException;

    /**
     * Measures in a separate process.
     *
     * @throws IOException if not every message was handled exactly once, or if the process fails; the message gives the
     * reason
     */
    public List<Finding> measure(LatencyPeer peer, Map<String, String> params, double seconds, List<String> jvmOptions)
            throws IOException, InterruptedException {
        var args = new ArrayList<>(List.of(name(), peer.name(), String.valueOf(seconds)));
        params.forEach((name, value) -> args.add(name + "=" + value));
        String output = Programs.run(
                peer == LatencyPeer.GO
                        ? Programs.go(name().toLowerCase(Locale.ROOT), args.subList(2, args.size()))
                        : Programs.java(
                                LatencyProgram.class, peer.jvmOptions(jvmOptions), args.toArray(String[]::new)));
        List<Finding> found = Finding.in(output);
        if (found.isEmpty()) {
            throw new IOException("The program found nothing: " + output.strip());
        }
        return found;
    }

    private static List<SortedMap<String, String>> ratesAndLoads() {
        var cases = new ArrayList<SortedMap<String, String>>();
        for (String load : List.of("idle", "half")) {
            for (String rate : List.of("1000", "10000", "100000")) {
                cases.add(new TreeMap<>(Map.of("rate", rate, "load", load)));
            }
        }
        return cases;
    }

    private static int busyProcessors(Map<String, String> params) {
        boolean half = "half".equals(params.get("load"));
        return half ? Math.max(1, Runtime.getRuntime().availableProcessors() / 2) : 0;
    }

    private static int number(Map<String, String> params, String name) {
        String value = params.get(name);
        if (value == null) {
            throw new IllegalArgumentException("The parameter " + name + " is missing.");
        }
        return Integer.parseInt(value);
    }
}
