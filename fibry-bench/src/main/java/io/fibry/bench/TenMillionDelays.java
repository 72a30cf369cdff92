package io.fibry.bench;

import io.fibry.bench.peers.Coroutines;
import io.fibry.bench.peers.Peers;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The time of 10,000,000 coroutines on a dispatcher that each suspend for a second, with at most 5,000 concurrent
 * steps. It is not a JMH benchmark, because it takes minutes and more memory than the forks have: on
 * {@code Dispatchers.IO}, with up to 5,000 platform threads, it had not ended after five minutes.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=TenMillionDelays -Dbench.jvm="-Xmx16g"}. The
 * arguments are the number of coroutines, and the dispatchers, by default all:
 * {@code -Dargs="10000000 COROUTINES_IO COROUTINES_FIBRY"}.
 */
final class TenMillionDelays {

    private static final int PARALLELISM = 5_000;
    private static final int MILLIS = 1_000;

    private static final List<Peers> DISPATCHERS = List.of(
            Peers.COROUTINES_VIRTUAL_THREADS,
            Peers.COROUTINES_FIBRY,
            Peers.COROUTINES_DEFAULT,
            Peers.COROUTINES_UNCONFINED,
            Peers.COROUTINES_IO);

    private TenMillionDelays() {}

    public static void main(String[] args) {
        int coroutines = args.length > 0 ? Integer.parseInt(args[0]) : 10_000_000;
        List<Peers> dispatchers = args.length < 2
                ? DISPATCHERS
                : Arrays.stream(args).skip(1).map(Peers::valueOf).toList();
        for (Peers dispatcher : dispatchers) {
            double seconds = run(dispatcher, coroutines);
            System.out.printf("%,d coroutines, %s: %.1f s%n", coroutines, dispatcher.title(), seconds);
        }
    }

    private static double run(Peers dispatcher, int coroutines) {
        try (var peer = (Coroutines) dispatcher.open("CoroutinesBenchmark")) {
            long start = System.nanoTime();
            long awake = peer.delayAll(coroutines, MILLIS, PARALLELISM);
            if (awake != coroutines) {
                throw new IllegalStateException("only " + awake + " have woken up, on " + dispatcher.title());
            }
            long took = System.nanoTime() - start;
            if (took < TimeUnit.MILLISECONDS.toNanos(MILLIS)) {
                throw new IllegalStateException("they did not wait, on " + dispatcher.title());
            }
            return took / 1e9;
        }
    }
}
