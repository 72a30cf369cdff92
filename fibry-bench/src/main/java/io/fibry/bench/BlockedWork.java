package io.fibry.bench;

import io.fibry.bench.peers.Coroutines;
import io.fibry.bench.peers.Receiver;
import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Creates actors that each get one message and block in its handler. The measurement ends when the last handler has
 * returned.
 *
 * <p>An iteration begins when the actors of the previous one have ended and have been collected. The heap keeps its
 * size, because the first access to new memory would add cost.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 1)
@Fork(
        value = 5,
        jvmArgsAppend = {"-Xmx4g", "-XX:MaxHeapFreeRatio=100"})
public abstract class BlockedWork extends PeerBenchmark {

    private Object[] created = {};

    /** The object that all actors of the last iteration refer to. */
    private @Nullable WeakReference<CountDownLatch> last;

    final void block(int handlers, int millis) throws InterruptedException {
        CountDownLatch left = left(handlers);
        Receiver behavior = message -> {
            sleep(millis);
            left.countDown();
        };
        created = new Object[handlers];
        long start = System.nanoTime();
        for (int i = 0; i < handlers; i++) {
            created[i] = actors.actor(behavior);
            actors.tell(created[i], "go");
        }
        await(left, start, millis);
    }

    /** The same with coroutines that suspend and block no thread. */
    final void delay(int coroutines, int millis) throws InterruptedException {
        CountDownLatch left = left(coroutines);
        Runnable end = left::countDown;
        long start = System.nanoTime();
        for (int i = 0; i < coroutines; i++) {
            ((Coroutines) actors).runLater(millis, end);
        }
        await(left, start, millis);
    }

    private CountDownLatch left(int count) {
        var left = new CountDownLatch(count);
        last = new WeakReference<>(left);
        return left;
    }

    private static void await(CountDownLatch left, long start, int millis) throws InterruptedException {
        left.await();
        long took = System.nanoTime() - start;
        if (took < TimeUnit.MILLISECONDS.toNanos(millis)) {
            throw new IllegalStateException("somebody did not wait: all were ready after " + took + " ns");
        }
    }

    private static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Setup(Level.Iteration)
    public void awaitTheEndOfTheOthers() {
        if (last != null) {
            Heap.awaitUnreachable(last);
        }
    }

    @TearDown(Level.Iteration)
    public void stopThem() {
        for (Object actor : created) {
            actors.stop(actor);
        }
        created = new Object[0];
    }
}
