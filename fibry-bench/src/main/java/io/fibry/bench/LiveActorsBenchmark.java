package io.fibry.bench;

import io.fibry.bench.peers.Peers;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * The cost of a message with many live actors: {@code tell}, {@code ask} from an actor, and a hop in a ring, among
 * 1,000 and among 1,000,000 actors. Each message goes to a different actor: distant in memory, or in the order of
 * creation, as in the ring. Calls of plain objects show the cost of the memory accesses without actors.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.LiveActorsBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class LiveActorsBenchmark extends LiveWork {

    private static final int MESSAGES = 50_000;

    @Param({
        "FIBRY",
        "FIBRY_THREADS",
        "FIBRY_2_4_1",
        "PEKKO",
        "KOTLIN",
        "JOX",
        "VIRTUAL_THREADS",
        "EXECUTOR",
        "PLAIN_OBJECTS"
    })
    public Peers peer;

    private final int messages = Scale.of(MESSAGES);
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicLong sum = new AtomicLong();
    private Object[] members;
    private Ring ring;
    private Object asker;

    @Override
    Peers peer() {
        return peer;
    }

    @Override
    public void open(BenchmarkParams params) {
        super.open(params);
        String method = params.getBenchmark().replaceAll(".*\\.", "");
        if (method.endsWith("InOrder")) {
            step(1);
        }
        switch (method) {
            case "tell", "tellInOrder" -> members = all(() -> actors.actor(message -> count()));
            case "ask", "askInOrder" -> makeAsker();
            default -> makeRing();
        }
    }

    private void makeRing() {
        ring = new Ring(this, live);
        step(messages); // continues at the position of the last message
    }

    private void makeAsker() {
        members = all(() -> actors.replyActor(x -> (Integer) x * (Integer) x));
        asker = kept(actors.asker(i -> members[another()], messages, false, result -> {
            sum.set(result);
            done.release();
        }));
    }

    private void count() {
        if (left.decrementAndGet() == 0) {
            done.release();
        }
    }

    @Override
    void verify() {
        check(0, left.get()); // negative if a message was handled twice
        if (ring != null) {
            ring.verify();
        }
    }

    private void tellAll() throws InterruptedException {
        left.set(messages);
        for (int i = 0; i < messages; i++) {
            actors.tell(members[another()], "message");
        }
        done.acquire();
    }

    private void askAll() throws InterruptedException {
        actors.tell(asker, "go");
        done.acquire();
        check(RequestReplyBenchmark.sumOfSquares(messages), sum.get());
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void tell() throws InterruptedException {
        tellAll();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void tellInOrder() throws InterruptedException {
        tellAll();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void ask() throws InterruptedException {
        askAll();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void askInOrder() throws InterruptedException {
        askAll();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void ringHop() throws InterruptedException {
        ring.run(another(), messages);
    }
}
