package io.fibry.bench.latency;

import io.fibry.bench.peers.Peer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rest of the program while handlers of actors occupy all processors: the delay of a virtual thread that repeatedly
 * sleeps for 10 ms, and the time in which a virtual thread returns a byte that arrives over a loopback connection every
 * 10 ms. The client of the connection is a platform thread, so the peer delays it only as much as all threads.
 */
final class Burn {

    private Burn() {}

    /**
     * Latencies with the prefix {@code echo-} belong to the connection, and {@code burned} is the share of the
     * processors that the handlers received.
     */
    static List<Finding> measure(Peer peer, Duration handler, Span span) throws IOException, InterruptedException {
        int processors = Runtime.getRuntime().availableProcessors();
        try (var echo = new Echo()) {
            beside(echo, span.warmUp());
            List<Restless> burning = Stream.generate(() -> new Restless(peer, () -> burn(handler)))
                    .limit(processors)
                    .toList();
            burning.forEach(Restless::start);
            Thread.sleep(span.warmUp());
            long before = handled(burning);
            long start = System.nanoTime();
            var sleeper = new Beats(Thread.ofVirtual(), span.measured(), () -> {});
            var client = new Beats(Thread.ofPlatform(), span.measured(), echo::call);
            Thread.sleep(span.measured());
            double handlers = handled(burning) - before;
            double share = handlers * handler.toNanos() / (System.nanoTime() - start) / processors;
            burning.forEach(Restless::halt);
            var found = new ArrayList<>(sleeper.await().findings(""));
            found.addAll(client.await().findings("echo-"));
            found.add(new Finding("burned", 100 * share, "%"));
            return found;
        }
    }

    /** Warms up the code of the threads, without load. */
    private static void beside(Echo echo, Duration time) {
        var sleeper = new Beats(Thread.ofVirtual(), time, () -> {});
        var client = new Beats(Thread.ofPlatform(), time, echo::call);
        sleeper.await();
        client.await();
    }

    static void burn(Duration time) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < time.toNanos()) {
            Thread.onSpinWait();
        }
    }

    private static long handled(List<Restless> actors) {
        return actors.stream().mapToLong(Restless::handled).sum();
    }
}
