package io.fibry.bench.latency;

import io.fibry.bench.peers.Peer;
import java.util.Arrays;
import java.util.Locale;
import java.util.TreeMap;

/**
 * Measures one peer in this JVM, and prints a line for each result. The arguments are the measurement, the peer, the
 * seconds, and the parameters.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=latency.LatencyProgram -Dargs="tell FIBRY 5
 * rate=10000 load=idle"}
 */
final class LatencyProgram {

    private LatencyProgram() {}

    public static void main(String[] args) {
        try {
            run(args);
            System.exit(0); // the threads of a peer may keep the JVM alive
        } catch (Exception e) {
            System.out.println(e);
            System.exit(1);
        }
    }

    static void run(String... args) throws Exception {
        if (args.length < 3) {
            throw new IllegalArgumentException("The arguments are WHAT PEER SECONDS NAME=VALUE ..");
        }
        var params = new TreeMap<String, String>();
        Arrays.stream(args).skip(3).map(arg -> arg.split("=", 2)).forEach(pair -> params.put(pair[0], pair[1]));
        try (Peer peer = LatencyPeer.valueOf(args[1]).open()) {
            Latency.valueOf(args[0].toUpperCase(Locale.ROOT))
                    .find(peer, params, Span.ofSeconds(Double.parseDouble(args[2])))
                    .forEach(found -> System.out.println(found.line()));
        }
    }
}
