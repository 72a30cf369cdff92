package io.fibry.bench;

import io.fibry.bench.peers.Coroutines;
import io.fibry.bench.peers.Peers;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How long 10,000,000 coroutines take on a dispatcher that each suspend for a second, with 5,000 at a step of theirs at once. It
 * is not among the benchmarks, since it takes more memory than their forks have, and minutes: on {@code Dispatchers.IO}, which has up
 * to 5,000 platform threads then, it had not ended after five.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=TenMillionDelays -Dbench.jvm="-Xmx16g"}. The arguments are how
 * many, and then the dispatchers, if not all: {@code -Dargs="10000000 COROUTINES_IO COROUTINES_FIBRY"}.
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
