package io.fibry.bench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/**
 * The cost of a message when producers send at full speed: one, two and four platform threads to one actor, and four
 * threads to four actors in turn. The measurement ends when all messages are handled.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.TellBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class TellBenchmark extends ActorBenchmark {

    private static final int MESSAGES = 1_000_000;

    private final Counter[] counters = new Counter[4];
    private final Object[] receivers = new Object[4];

    @Override
    void prepare() {
        for (int i = 0; i < receivers.length; i++) {
            counters[i] = new Counter(done);
            receivers[i] = kept(actors.actor(counters[i]));
        }
    }

    @Override
    void verify() {
        for (Counter counter : counters) {
            counter.verify();
        }
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void oneToOne() throws InterruptedException {
        send(1, 1);
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void twoToOne() throws InterruptedException {
        send(2, 1);
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void fourToOne() throws InterruptedException {
        send(4, 1);
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void fourToFour() throws InterruptedException {
        send(4, 4);
    }

    private void send(int producers, int to) throws InterruptedException {
        int each = Scale.of(MESSAGES / 16) * 16 / producers;
        for (int r = 0; r < to; r++) {
            counters[r].expect(each * producers / to);
        }
        for (int p = 1; p < producers; p++) {
            Thread.ofPlatform().start(() -> produce(each, to));
        }
        produce(each, to);
        done.acquire(to);
    }

    private void produce(int messages, int to) {
        for (int i = 0; i < messages; i++) {
            actors.tell(receivers[i & (to - 1)], "message");
        }
    }
}
