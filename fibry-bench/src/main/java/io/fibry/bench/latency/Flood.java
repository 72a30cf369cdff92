package io.fibry.bench.latency;

import io.fibry.bench.peers.Peer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Many actors that get messages in turn at a fixed rate, and one actor that floods itself. */
final class Flood {

    private Flood() {}

    /**
     * In addition to the latencies of the many actors, {@code flood} is the number of messages per second that the
     * flooding actor handles.
     */
    static List<Finding> measure(Peer peer, int actors, int rate, Span span) {
        var others = new Object[actors];
        Arrays.setAll(others, i -> peer.actor(message -> ((Timed) message).handled()));
        var tell = new InTurn(others, peer::tell);
        OpenLoop.run(rate, 1, span.warmUp(), tell);
        var flooding = new Restless(peer, () -> {});
        flooding.start();
        OpenLoop.warmUp(rate, 1, span.warmUp(), tell);
        long before = flooding.handled();
        long start = System.nanoTime();
        OpenLoop loop = OpenLoop.run(rate, 1, span.measured(), tell);
        double perSecond = (flooding.handled() - before) / ((System.nanoTime() - start) / 1e9);
        flooding.halt();
        for (Object other : others) {
            peer.stop(other);
        }
        var found = new ArrayList<>(loop.findings());
        found.add(new Finding("flood", perSecond, "ops/s"));
        return found;
    }
}
