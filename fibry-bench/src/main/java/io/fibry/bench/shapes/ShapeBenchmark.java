package io.fibry.bench.shapes;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A benchmark of a stereotype and of an alternative to it, selected by the parameter {@code peer}. Each checks its
 * result. The result is the time for one message, value or item.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(value = 5, jvmArgsAppend = "-Xmx8g")
public abstract class ShapeBenchmark {

    private @Nullable GoShape go;

    /**
     * The system property {@code fibry.bench.divisor} divides the counts for a smoke test, whose figures are
     * meaningless.
     */
    static int scaled(int count) {
        return Math.max(1, count / Integer.getInteger("fibry.bench.divisor", 1));
    }

    /** Returns the result of a run in Go. The first call starts the program. */
    final long runInGo(String name, long... numbers) {
        GoShape running = go;
        if (running == null) {
            running = GoShape.start(name, numbers);
            go = running;
        }
        return running.run();
    }

    @TearDown(Level.Trial)
    public void stopGo() {
        if (go != null) {
            go.close();
            go = null;
        }
    }

    static void check(long expected, long actual) {
        if (expected != actual) {
            throw new IllegalStateException("the result is wrong: " + actual + " instead of " + expected);
        }
    }

    /** Code of a peer that may wait. */
    interface Code {
        void run() throws InterruptedException;
    }

    /** Runs the code on a virtual thread. */
    static void start(Code code) {
        Thread.startVirtualThread(() -> {
            try {
                code.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    static IllegalArgumentException unknown(String peer) {
        return new IllegalArgumentException("no such peer: " + peer);
    }
}
