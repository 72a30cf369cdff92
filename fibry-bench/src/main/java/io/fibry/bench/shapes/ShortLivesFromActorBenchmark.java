package io.fibry.bench.shapes;

import io.fibry.bench.peers.Peer;
import io.fibry.bench.peers.Peers;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The cost of a short life: an actor creates another actor, asks it once, waits for the reply, and stops it. In Kotlin
 * both are coroutines on {@code Dispatchers.Default}, and the client suspends while it waits.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="shapes.ShortLivesFromActorBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class ShortLivesFromActorBenchmark extends ShapeBenchmark {

    private static final int LIVES = 20_000;

    @Param({"FIBRY", "KOTLIN"})
    public String peer;

    private Peer actors;

    @Setup(Level.Trial)
    public void open() {
        actors = Peers.valueOf(peer).open("ShortLivesFromActorBenchmark");
    }

    /** Creates the target of each question, and stops the previous one. */
    private final class Lives implements IntFunction<Object> {

        private Object last = actors.replyActor(n -> n);

        @Override
        public Object apply(int question) {
            actors.stop(last);
            last = actors.replyActor(n -> (Integer) n + 1);
            return last;
        }
    }

    @Benchmark
    @OperationsPerInvocation(LIVES)
    public void life() throws Exception {
        int count = scaled(LIVES);
        var lives = new Lives();
        var sum = new CompletableFuture<Long>();
        Object client = actors.asker(lives, count, false, sum::complete);
        actors.tell(client, "go");
        long expected = 0;
        for (int i = 0; i < count; i++) {
            expected += (i & 1023) + 1; // as the asker counts
        }
        check(expected, sum.get());
        actors.stop(client);
        actors.stop(lives.last);
    }

    @TearDown(Level.Trial)
    public void close() {
        actors.close();
    }
}
