package io.fibry.bench.latency;

import io.fibry.bench.peers.Peer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Asks to several actors in turn, each of which computes for some time before it replies. The asks of a millisecond are
 * due together: a sender that is busy for the rest of the time, and waits for the due time of each ask, would take a
 * processor from the actors.
 */
final class ComputingActors {

    private static final int ACTORS = 16;
    private static final Duration WORK = Duration.ofNanos(40_000);

    /** The rate of the first warm-up, in which the actors reply at once, so that most of the code is compiled. */
    private static final int WARM_UP_RATE = 100_000;

    private volatile Duration work = Duration.ZERO;

    /** The recipient of a reply. */
    enum Client {
        /** A future. */
        FUTURE,
        /** A virtual thread for each ask, which waits for the reply. */
        THREAD;

        static Client of(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT));
        }

        private void ask(Peer peer, Object actor, Timed message) {
            switch (this) {
                case FUTURE -> peer.askThen(actor, message, reply -> ((Timed) reply).handled());
                case THREAD -> Thread.startVirtualThread(() -> ((Timed) peer.ask(actor, message)).handled());
            }
        }
    }

    private ComputingActors() {}

    static List<Finding> measure(Peer peer, Client client, int rate, Span span) {
        return new ComputingActors().measured(peer, client, rate, span);
    }

    private List<Finding> measured(Peer peer, Client client, int rate, Span span) {
        var actors = new Object[ACTORS];
        Arrays.setAll(
                actors,
                i -> peer.replyActor(message -> {
                    Burn.burn(work);
                    return message;
                }));
        Consumer<Timed> ask = new InTurn(actors, (actor, message) -> client.ask(peer, actor, message));
        OpenLoop.run(WARM_UP_RATE, WARM_UP_RATE / 1_000, span.warmUp(), ask);
        work = WORK;
        int burst = Math.max(1, rate / 1_000);
        OpenLoop.warmUp(rate, burst, span.warmUp(), ask);
        List<Finding> found = OpenLoop.run(rate, burst, span.measured(), ask).findings();
        for (Object actor : actors) {
            peer.stop(actor);
        }
        return found;
    }
}
