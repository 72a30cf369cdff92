package io.fibry.bench;

import io.fibry.bench.peers.Peer;
import io.fibry.bench.peers.Peers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A benchmark that runs with any {@link Peer}. It checks its result, and throws an {@link IllegalStateException} if the
 * result is wrong. The result is the time of one operation, unless the class specifies otherwise.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 5, jvmArgsAppend = "-Xmx4g")
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public abstract class PeerBenchmark {

    private final List<Object> made = new ArrayList<>();

    /** Released by the actor that completes the operation. */
    final Semaphore done = new Semaphore(0);

    Peer actors;

    /** Returns the parameter {@code peer}, which each class declares with its participants. */
    abstract Peers peer();

    /** Creates the actors that live as long as the JVM. */
    void prepare() {}

    /** Checks conditions that can be evaluated only at the end. */
    void verify() {}

    @Setup(Level.Trial)
    public void open(BenchmarkParams params) {
        String classAndMethod = params.getBenchmark();
        actors = peer().open(classAndMethod.replaceAll(".*\\.(\\w+)\\.\\w+$", "$1"));
        prepare();
    }

    @TearDown(Level.Trial)
    public void close() {
        try {
            check(0, done.availablePermits()); // no operation completed twice
            verify();
        } finally {
            made.forEach(actors::stop);
            made.clear();
            actors.close();
        }
    }

    /** Stops the actor at the end. */
    final Object kept(Object actor) {
        made.add(actor);
        return actor;
    }

    static void check(long expected, long actual) {
        if (expected != actual) {
            throw new IllegalStateException("the result is wrong: " + actual + " instead of " + expected);
        }
    }
}
