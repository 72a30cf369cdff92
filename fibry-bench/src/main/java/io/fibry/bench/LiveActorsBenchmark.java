package io.fibry.bench;

import io.fibry.bench.peers.Peers;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Whether a message costs more when many actors live: {@code tell}, {@code ask} from an actor, and a hop in a ring, among 1,000
 * and among 1,000,000 actors. The messages go to ever other ones: far from each other in memory, or in the order in which they were
 * made, as in the ring. The plain objects that are called instead show what the memory costs without any actors.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="LiveActorsBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class LiveActorsBenchmark extends PeerBenchmark {

    private static final int MESSAGES = 50_000;

    /** Between an actor and the next one that gets a message: so far that all have had their turn before one has its second. */
    private static final long FAR = 618_033_989;

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

    @Param({"1000", "1000000"})
    public int live;

    private final int messages = Scale.of(MESSAGES);
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicLong sum = new AtomicLong();
    private Object[] members;
    private Ring ring;
    private Object asker;
    private long step;
    private int next;

    @Override
    Peers peer() {
        return peer;
    }

    @Override
    public void open(BenchmarkParams params) {
        super.open(params);
        String method = params.getBenchmark().replaceAll(".*\\.", "");
        step = method.endsWith("InOrder") ? 1 : FAR;
        switch (method) {
            case "tell", "tellInOrder" -> members = all(i -> actors.actor(message -> count()));
            case "ask", "askInOrder" -> makeAsker();
            default -> ring = new Ring(this, live);
        }
    }

    private interface Maker {
        Object make(int i);
    }

    private Object[] all(Maker maker) {
        var made = new Object[live];
        for (int i = 0; i < live; i++) {
            made[i] = kept(maker.make(i));
        }
        return made;
    }

    private void makeAsker() {
        members = all(i -> actors.replyActor(x -> (Integer) x * (Integer) x));
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

    private int another() {
        next = (int) ((next + step) % live);
        return next;
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
        next = (next + messages) % live;
        ring.run(next, messages);
    }
}
