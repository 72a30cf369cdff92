package io.fibry.bench.report;

import io.fibry.bench.Slow;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Measures nothing. One of its peers works, one is unsupported, one fails, and one hangs. */
@Slow(quick = "size=3,4")
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 3)
public class TinyBenchmark {

    /** The peers. */
    public enum Who {
        ABLE,
        UNABLE,
        BROKEN,
        HANGING;

        public @Nullable String cannot(String benchmark) {
            return this == UNABLE ? "It has no " + benchmark + "." : null;
        }
    }

    /** A secondary result. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Count {
        public long things;
    }

    @Param
    public Who peer = Who.ABLE;

    @Param({"1", "2"})
    public int size = 1;

    @Benchmark
    public int once(Count count) throws InterruptedException {
        if (peer == Who.BROKEN) {
            throw new IllegalStateException("it broke");
        }
        if (peer == Who.HANGING) {
            new CountDownLatch(1).await();
        }
        count.things += size;
        return size;
    }
}
