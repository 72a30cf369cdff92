package io.fibry.bench;

import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.BenchmarkMode;
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
 * Creates actors, all of which live until the iteration ends.
 *
 * <p>Notes how many bytes of the heap each of them takes, as measured once, when all actors of the warm-up have ended: the
 * stack of a waiting thread is bigger while the code on it is interpreted.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4)
@Measurement(iterations = 4)
public abstract class CreateWork extends ActorBenchmark {

    private final @Nullable Object[] created;
    private final AtomicInteger handled = new AtomicInteger();
    private Consumer<Object> behavior = new First();
    private boolean measuring;
    private long heapBefore;
    private double heapPerActor = Double.NaN;

    CreateWork(int count) {
        created = new Object[count];
    }

    /** The actors share one, and nothing else refers to it for long: it is garbage when the last of them has ended. */
    private final class First implements Consumer<Object> {
        @Override
        public void accept(Object message) {
            if (handled.decrementAndGet() == 0) {
                done.release();
            }
        }
    }

    final void createIdle() {
        for (int i = 0; i < created.length; i++) {
            created[i] = actors.actor(behavior);
        }
    }

    final void createWithFirstMessage() throws InterruptedException {
        handled.set(created.length);
        for (int i = 0; i < created.length; i++) {
            Object actor = actors.actor(behavior);
            created[i] = actor;
            actors.tell(actor, "first");
        }
        done.acquire();
    }

    @Setup(Level.Iteration)
    public void measureHeapBefore(IterationParams params) {
        measuring = params.getType() == IterationType.MEASUREMENT && Double.isNaN(heapPerActor);
        if (measuring) {
            var earlier = new WeakReference<>(behavior);
            behavior = new First();
            Heap.awaitUnreachable(earlier);
            heapBefore = Heap.used();
        }
    }

    @TearDown(Level.Iteration)
    public void measureHeapAndStopThem() {
        if (measuring) {
            heapPerActor = (double) (Heap.used() - heapBefore) / created.length;
        }
        SideResults.note("heapPerActor", heapPerActor, "B"); // in all iterations: JMH takes what is missing for 0
        for (int i = 0; i < created.length; i++) {
            Object actor = created[i];
            if (actor != null) {
                actors.stop(actor);
            }
            created[i] = null;
        }
    }
}
