package io.fibry.bench;

import io.fibry.bench.peers.Peers;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Further operations whose cost may depend on the number of live actors, in addition to {@link LiveActorsBenchmark}:
 * creation of an actor, an ask from a plain virtual thread, a round trip between two actors by {@code tell}, and
 * {@code tell} from four platform threads to one actor, among 1,000 and among 1,000,000 actors. Each ask goes to
 * another actor, distant from the previous one. The round trips and the tells use the same actors for one shot, and
 * then other, equally distant ones; all other actors are idle.
 *
 * <p>Only this library takes part: the benchmark measures the growth of its costs.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.AmongLiveActorsBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class AmongLiveActorsBenchmark extends LiveWork {

    private static final int OPERATIONS = 50_000;
    private static final int MESSAGES = 500_000;
    private static final int PRODUCERS = 4;
    private static final int SAMPLE = 100;

    @Param({"FIBRY", "FIBRY_THREADS", "FIBRY_2_4_1", "PEKKO", "KOTLIN", "JOX", "VIRTUAL_THREADS", "EXECUTOR"})
    public Peers peer;

    private final int operations = Scale.of(OPERATIONS);
    private final Counter counter = new Counter(done);
    private final AtomicLong sum = new AtomicLong();
    private Object[] members = {};
    private Object[] fresh = {};
    private Ring pairs;

    @Override
    Peers peer() {
        return peer;
    }

    @Override
    public void open(BenchmarkParams params) {
        super.open(params);
        switch (params.getBenchmark().replaceAll(".*\\.", "")) {
            case "pingPong" -> pairs = new Ring(this, live, i -> i ^ 1);
            case "askFromVirtualThread" -> members = all(() -> actors.replyActor(x -> (Integer) x * (Integer) x));
            default -> members = all(() -> actors.actor(counter));
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void create() {
        fresh = new Object[operations];
        for (int i = 0; i < operations; i++) {
            fresh[i] = actors.actor(counter);
        }
    }

    /** Checks a sample of the new actors, one after the other, because they share the counter. */
    @TearDown(Level.Iteration)
    public void seeThatTheyLive() throws InterruptedException {
        for (int i = 0; i < fresh.length; i += Math.max(1, fresh.length / SAMPLE)) {
            counter.expect(1);
            actors.tell(fresh[i], "are you there?");
            done.acquire();
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void askFromVirtualThread() throws InterruptedException {
        Thread.ofVirtual().start(() -> sum.set(askAll())).join();
        check(RequestReplyBenchmark.sumOfSquares(operations), sum.get());
    }

    private long askAll() {
        long s = 0;
        for (int i = 0; i < operations; i++) {
            s += (Integer) actors.ask(members[another()], i & 1023);
        }
        return s;
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void pingPong() throws InterruptedException {
        pairs.run(another(), 2 * operations);
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void tellFourToOne() throws InterruptedException {
        int each = Scale.of(MESSAGES) / PRODUCERS;
        Object receiver = members[another()];
        counter.expect(PRODUCERS * each);
        for (int p = 1; p < PRODUCERS; p++) {
            Thread.ofPlatform().start(() -> produce(receiver, each));
        }
        produce(receiver, each);
        done.acquire();
    }

    private void produce(Object receiver, int messages) {
        for (int i = 0; i < messages; i++) {
            actors.tell(receiver, "message");
        }
    }

    @Override
    void verify() {
        counter.verify();
        if (pairs != null) {
            pairs.verify();
        }
    }
}
