package io.fibry.bench;

import io.fibry.bench.peers.Receiver;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * Creates actors that live until the end of the iteration. The next iteration begins when they have ended and have been
 * collected. The heap keeps its size, because the first access to new memory would add cost.
 *
 * <p>Records the size of an actor in the heap, measured once after the warm-up: the stack of a waiting thread is larger
 * while its code is interpreted.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 3)
@Fork(
        value = 5,
        jvmArgsAppend = {"-Xmx4g", "-XX:MaxHeapFreeRatio=100"})
public abstract class CreateWork extends ActorBenchmark {

    private static final int SAMPLE = 100;

    private final AtomicInteger left = new AtomicInteger();
    private final @Nullable Object[] created;
    private Receiver behavior = new First();
    private boolean measuring;
    private long heapBefore;
    private double heapPerActor = Double.NaN;

    CreateWork(int count) {
        created = new Object[count];
    }

    /** The behavior that all actors share. It becomes unreachable when the last of them has ended. */
    private final class First implements Receiver {
        @Override
        public void accept(Object message) {
            if (left.decrementAndGet() == 0) {
                done.release();
            }
        }
    }

    final void createIdle() {
        actors.inside(() -> {
            for (int i = 0; i < created.length; i++) {
                created[i] = actors.actor(behavior);
            }
        });
    }

    final void createWithFirstMessage() throws InterruptedException {
        left.set(created.length);
        actors.inside(() -> {
            for (int i = 0; i < created.length; i++) {
                Object actor = actors.actor(behavior);
                created[i] = actor;
                actors.tell(actor, "first");
            }
        });
        done.acquire();
    }

    @Setup(Level.Iteration)
    public void awaitTheEndOfTheOthers(IterationParams params) {
        var earlier = new WeakReference<>(behavior);
        behavior = new First();
        Heap.awaitUnreachable(earlier);
        measuring = params.getType() == IterationType.MEASUREMENT && Double.isNaN(heapPerActor);
        if (measuring) {
            heapBefore = Heap.used();
        }
    }

    @TearDown(Level.Iteration)
    public void measureHeapAndStopThem() throws InterruptedException {
        if (measuring) {
            heapPerActor = (double) (Heap.used() - heapBefore) / created.length;
        }
        SideResults.note("heapPerActor", heapPerActor, "B"); // in all iterations: JMH treats a missing value as 0
        seeThatTheyLive();
        for (int i = 0; i < created.length; i++) {
            actors.stop(Objects.requireNonNull(created[i]));
            created[i] = null;
        }
    }

    /** Sends a message to some of them, and waits until it is handled. */
    private void seeThatTheyLive() throws InterruptedException {
        verify();
        int step = Math.max(1, created.length / SAMPLE);
        left.set((created.length + step - 1) / step);
        for (int i = 0; i < created.length; i += step) {
            actors.tell(Objects.requireNonNull(created[i]), "are you there?");
        }
        done.acquire();
    }

    @Override
    void verify() {
        check(0, left.get()); // negative if a message was handled twice
    }
}
