package io.fibry.bench;

import io.fibry.bench.peers.Peers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * The cost of asking an actor for the square of a number and waiting for the reply, one ask at a time.
 *
 * <p>The asker is an actor, a virtual thread or a platform thread. In {@code fromActorForcedSwitch} the asking actor
 * waits with a timeout, which is never reached. This prevents a library from running the asked actor on the asker's
 * stack, and forces a switch between the two. The two cases are not comparable.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.RequestReplyBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class RequestReplyBenchmark extends ActorBenchmark {

    private static final int QUESTIONS = 50_000;

    private final int questions = Scale.of(QUESTIONS);
    private final AtomicLong sum = new AtomicLong();
    private Object square;
    private Object asker;
    private Object askerInTime;

    @Override
    public void open(BenchmarkParams params) {
        super.open(params);
        if (params.getBenchmark().endsWith("ForcedSwitch")) {
            seeThatTheySwitch();
        }
    }

    /** Pekko and Kotlin coroutines do not block a thread, so asker and replier may alternate on one thread. */
    private void seeThatTheySwitch() {
        if (peer == Peers.PEKKO || peer == Peers.KOTLIN) {
            return;
        }
        var asking = new CompletableFuture<Thread>();
        var replying = new CompletableFuture<Thread>();
        Object target = kept(actors.replyActor(x -> {
            replying.complete(Thread.currentThread());
            return x;
        }));
        IntFunction<Object> choice = i -> { // runs in the asker
            asking.complete(Thread.currentThread());
            return target;
        };
        actors.tell(kept(actors.asker(choice, 1, true, this::finished)), "go");
        done.acquireUninterruptibly();
        if (asking.join().equals(replying.join())) {
            throw new IllegalStateException("the asked actor ran on the asker's stack, in spite of the limit");
        }
    }

    @Override
    void prepare() {
        square = kept(actors.replyActor(x -> (Integer) x * (Integer) x));
        IntFunction<Object> target = i -> square;
        asker = kept(actors.asker(target, questions, false, this::finished));
        askerInTime = kept(actors.asker(target, questions, true, this::finished));
    }

    private void finished(long result) {
        sum.set(result);
        done.release();
    }

    @Benchmark
    @OperationsPerInvocation(QUESTIONS)
    public void fromActor() throws InterruptedException {
        ask(asker);
    }

    @Benchmark
    @OperationsPerInvocation(QUESTIONS)
    public void fromActorForcedSwitch() throws InterruptedException {
        ask(askerInTime);
    }

    private void ask(Object by) throws InterruptedException {
        actors.tell(by, "go");
        done.acquire();
        check(sumOfSquares(questions), sum.get());
    }

    @Benchmark
    @OperationsPerInvocation(QUESTIONS)
    public void fromVirtualThread() throws InterruptedException {
        Thread.ofVirtual().start(() -> sum.set(askAll())).join();
        check(sumOfSquares(questions), sum.get());
    }

    @Benchmark
    @OperationsPerInvocation(QUESTIONS)
    public void fromPlatformThread() {
        check(sumOfSquares(questions), askAll());
    }

    private long askAll() {
        long s = 0;
        for (int i = 0; i < questions; i++) {
            s += (Integer) actors.ask(square, i & 1023);
        }
        return s;
    }

    /** The expected sum of an asker's replies. */
    static long sumOfSquares(int questions) {
        long sum = 0;
        for (int i = 0; i < questions; i++) {
            sum += (long) (i & 1023) * (i & 1023);
        }
        return sum;
    }
}
