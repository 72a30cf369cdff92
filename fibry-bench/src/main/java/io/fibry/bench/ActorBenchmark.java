package io.fibry.bench;

import io.fibry.bench.peers.Peers;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A benchmark for all peers with actors. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public abstract class ActorBenchmark extends PeerBenchmark {

    @Param({"FIBRY", "FIBRY_THREADS", "FIBRY_2_4_1", "PEKKO", "KOTLIN", "VERTX", "JOX", "VIRTUAL_THREADS", "EXECUTOR"})
    public Peers peer;

    @Override
    final Peers peer() {
        return peer;
    }
}
