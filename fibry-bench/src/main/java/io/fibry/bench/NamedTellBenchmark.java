package io.fibry.bench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/**
 * The cost of a message to a named actor, from one platform thread.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.NamedTellBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class NamedTellBenchmark extends ActorBenchmark {

    private static final int MESSAGES = 1_000_000;

    private final Counter counter = new Counter(done);
    private Object receiver;

    @Override
    void prepare() {
        receiver = kept(actors.namedActor("receiver", counter));
    }

    @Override
    void verify() {
        counter.verify();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void oneToOne() throws InterruptedException {
        int messages = Scale.of(MESSAGES);
        counter.expect(messages);
        for (int i = 0; i < messages; i++) {
            actors.tell(receiver, "message");
        }
        done.acquire();
    }
}
