package io.fibry.bench.latency;

import io.fibry.bench.net.Programs;
import io.fibry.bench.peers.Peer;
import io.fibry.bench.peers.Peers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    VIRTUAL_THREADS(Peers.VIRTUAL_THREADS),
    /** An executor of the JDK with a thread per core. */
    EXECUTOR(Peers.EXECUTOR),
    /** Go, a program of its own. */
    GO(null);

    private final @Nullable Peers peer;

    LatencyPeer(@Nullable Peers peer) {
        this.peer = peer;
    }

    /** Returns the display name. */
    public String title() {
        return this == PEKKO_FAIR ? "Pekko, throughput 1" : peer == null ? "Go" : peer.title();
    }

    /** Returns a sentence with the missing programs and their installation, or null if none is missing. */
    public @Nullable String missing() {
        return this == GO ? Programs.missingGo() : null;
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
        if (peer == null) {
            throw new UnsupportedOperationException(this + " does not run in a JVM");
        }
        return peer.open("Latency");
    }
}
