package io.fibry.bench.latency;

import io.fibry.bench.peers.Peer;
import io.fibry.bench.peers.Peers;
import java.util.ArrayList;
import java.util.List;

/** The participating peers. */
public enum LatencyPeer {
    /** This library, actors on virtual threads. */
    FIBRY(Peers.FIBRY),
    /** Pekko typed with its defaults: an actor handles up to 5 messages before another actor runs. */
    PEKKO(Peers.PEKKO),
    /** Pekko typed, tuned for fairness: other actors run after each message. */
    PEKKO_FAIR(Peers.PEKKO),
    /** Coroutines of Kotlin with channels. */
    KOTLIN(Peers.KOTLIN),
    /** Virtual threads with a queue of the JDK. */
    VIRTUAL_THREADS(Peers.VIRTUAL_THREADS);

    private final Peers peer;

    LatencyPeer(Peers peer) {
        this.peer = peer;
    }

    /** Returns the display name. */
    public String title() {
        return this == PEKKO_FAIR ? "Pekko, throughput 1" : peer.title();
    }

    /** Returns all options of the JVM. */
    List<String> jvmOptions(List<String> ofAll) {
        var options = new ArrayList<>(ofAll);
        if (this == PEKKO_FAIR) {
            options.add("-Dpekko.actor.default-dispatcher.throughput=1");
        }
        return options;
    }

    Peer open() {
        return peer.open("Latency");
    }
}
