package io.fibry.bench.report;

import java.util.Locale;
import java.util.Map;

/** How the report calls the peers. */
final class PeerNames {

    private static final Map<String, String> TITLES = Map.ofEntries(
            Map.entry("FIBRY", "this library"),
            Map.entry("FIBRY_THREADS", "this library, platform threads"),
            Map.entry("FIBRY_2_4_1", "Fibry 2.4.1"),
            Map.entry("PEKKO", "Pekko typed"),
            Map.entry("KOTLIN", "Kotlin coroutines"),
            Map.entry("JOX", "Jox channels"),
            Map.entry("VIRTUAL_THREADS", "virtual threads, queues"),
            Map.entry("EXECUTOR", "ExecutorService"),
            Map.entry("BARE_VIRTUAL_THREADS", "bare virtual threads"),
            Map.entry("CACHED_POOL", "cached pool"),
            Map.entry("POOL_64", "pool of 64 threads"),
            Map.entry("POOL_200", "pool of 200 threads"),
            Map.entry("COROUTINES_IO", "Dispatchers.IO"),
            Map.entry("COROUTINES_DEFAULT", "Dispatchers.Default"),
            Map.entry("COROUTINES_UNCONFINED", "Dispatchers.Unconfined"),
            Map.entry("COROUTINES_VIRTUAL_THREADS", "a virtual thread each"),
            Map.entry("COROUTINES_FIBRY", "this library's strategy"),
            Map.entry("COROUTINES_FIBRY_ACTOR", "one actor of this library"),
            Map.entry("GO", "Go"),
            Map.entry("JDK", "JDK alone"));

    private PeerNames() {}

    static String title(String peer) {
        String words = peer.replace('_', ' ').toLowerCase(Locale.ROOT);
        return peer.isEmpty() ? "no peer" : TITLES.getOrDefault(peer, words);
    }

    /** Whether the peer is this library, on whichever strategy. */
    static boolean isOurs(String peer) {
        return peer.matches("(COROUTINES_)?FIBRY(_(?!2).*)?");
    }
}
