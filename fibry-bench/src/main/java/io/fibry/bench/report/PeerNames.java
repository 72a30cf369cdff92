package io.fibry.bench.report;

import static java.util.Map.entry;

import io.fibry.bench.latency.LatencyPeer;
import io.fibry.bench.net.NetPeer;
import io.fibry.bench.peers.Peers;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The titles of the peers in the report. */
final class PeerNames {

    private static final String LIMITED = "FIBRY_BOUNDED";
    private static final Map<String, String> SHAPES = Map.ofEntries(
            entry("MAP_OF_ACTORS", "plain actors in a map"),
            entry("THREAD_POOL", "ThreadPoolExecutor"),
            entry("ACTOR_PER_KEY", "an actor per key"),
            entry("STRIPED_EXECUTORS", "striped executors"),
            entry("PEKKO_TOPIC", "Pekko's Topic"),
            entry("PEKKO_EVENT_STREAM", "Pekko's event stream"),
            entry("ARRAY_BLOCKING_QUEUE", "ArrayBlockingQueue"),
            entry("QUEUE_DRAIN_TO", "ArrayBlockingQueue.drainTo"),
            entry("PLAIN", "a loop of tells"),
            entry("MAP_CONCURRENT", "Gatherers.mapConcurrent"),
            entry("STRUCTURED_CONCURRENCY", "StructuredTaskScope"),
            entry("PARALLEL_STREAM", "parallel stream of the JDK"));
    private static final Map<String, String> TITLES = titles();

    private PeerNames() {}

    private static Map<String, String> titles() {
        var titles = new HashMap<String, String>();
        for (LatencyPeer peer : LatencyPeer.values()) {
            titles.put(peer.name(), peer.title());
        }
        for (NetPeer peer : NetPeer.values()) {
            titles.put(peer.name(), peer.title());
        }
        for (Peers peer : Peers.values()) {
            titles.put(peer.name(), peer.title());
        }
        titles.putAll(SHAPES);
        return titles;
    }

    static String title(String peer) {
        String words = peer.replace('_', ' ').toLowerCase(Locale.ROOT);
        return peer.isEmpty() ? "no peer" : TITLES.getOrDefault(peer, words);
    }

    static boolean hasTitle(String peer) {
        return TITLES.containsKey(peer);
    }

    /**
     * Returns the peer of this library: the one with a limit if present, which overload requires, and otherwise the one
     * with the shortest name; empty if there is none.
     */
    static String ours(Stream<String> peers) {
        return peers.filter(PeerNames::isOurs)
                .min(Comparator.comparing((String peer) -> !peer.equals(LIMITED))
                        .thenComparingInt(String::length)
                        .thenComparing(peer -> peer))
                .orElse("");
    }

    /** Returns whether the peer is this library, with any strategy. */
    static boolean isOurs(String peer) {
        return peer.matches("(COROUTINES_)?FIBRY(_(?!2).*)?");
    }
}
