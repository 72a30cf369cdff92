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
 * Creates actors, all of which live until the iteration ends. The next one begins when they have ended, and a collection has taken
 * them out of the heap. The heap keeps its size then, or its memory would have to be touched anew.
 *
 * <p>Notes how many bytes of the heap each of them takes, as measured once, after the warm-up: the stack of a waiting thread is
 * bigger while the code on it is interpreted.
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

    /** The actors share one, and nothing else refers to it for long: it is garbage when the last of them has ended. */
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
        SideResults.note("heapPerActor", heapPerActor, "B"); // in all iterations: JMH takes what is missing for 0
        seeThatTheyLive();
        for (int i = 0; i < created.length; i++) {
            actors.stop(Objects.requireNonNull(created[i]));
            created[i] = null;
        }
    }

    /** Tells some of them something, and waits until they have handled it. */
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
        check(0, left.get()); // below, if a message came twice
    }
}
