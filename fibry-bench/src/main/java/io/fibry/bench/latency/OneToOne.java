package io.fibry.bench.latency;

import io.fibry.bench.peers.Peer;
import java.util.List;
import java.util.function.Consumer;

/**
 * One sender and one actor. The latency of a tell ends when the actor handles it, and the latency of an ask when the
 * reply is in the future.
 */
final class OneToOne {

    /** The rate of the first warm-up, which compiles most of the code. The second one uses the measured rate. */
    private static final int WARM_UP_RATE = 100_000;

    private OneToOne() {}

    static List<Finding> tell(Peer peer, int rate, int busyProcessors, Span span) throws InterruptedException {
        Object actor = peer.actor(message -> ((Timed) message).handled());
        return measure(peer, actor, message -> peer.tell(actor, message), rate, busyProcessors, span);
    }

    static List<Finding> ask(Peer peer, int rate, int busyProcessors, Span span) throws InterruptedException {
        Object actor = peer.replyActor(message -> message);
        return measure(
                peer,
                actor,
                message -> peer.askThen(actor, message, reply -> ((Timed) reply).handled()),
                rate,
                busyProcessors,
                span);
    }

    private static List<Finding> measure(
            Peer peer, Object actor, Consumer<Timed> send, int rate, int busyProcessors, Span span)
            throws InterruptedException {
        OpenLoop.run(Math.max(rate, WARM_UP_RATE), 1, span.warmUp(), send);
        var busy = new BusyProcessors(busyProcessors);
        try {
            OpenLoop.warmUp(rate, 1, span.warmUp(), send);
            return OpenLoop.run(rate, 1, span.measured(), send).findings();
        } finally {
            busy.halt();
            peer.stop(actor);
        }
    }
}
