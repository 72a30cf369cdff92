package io.fibry.bench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Creates actors, all of which live until they have been counted. Notes how many bytes of the
 * heap each of them takes, as measured once, when the first ones live.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4)
@Measurement(iterations = 4)
public abstract class CreateWork extends ActorBenchmark {

    private final @Nullable Object[] created;
    private final AtomicInteger handled = new AtomicInteger();
    private long heapBefore;
    private double heapPerActor = Double.NaN;

    CreateWork(int count) {
        created = new Object[count];
    }

    @Override
    void prepare() {
        heapBefore = Heap.used();
    }

    final void createIdle() {
        for (int i = 0; i < created.length; i++) {
            created[i] = actors.actor(message -> {});
        }
    }

    final void createWithFirstMessage() throws InterruptedException {
        handled.set(created.length);
        for (int i = 0; i < created.length; i++) {
            Object actor = actors.actor(message -> {
                if (handled.decrementAndGet() == 0) {
                    done.release();
                }
            });
            created[i] = actor;
            actors.tell(actor, "first");
        }
        done.acquire();
    }

    @TearDown(Level.Iteration)
    public void measureHeap() {
        if (Double.isNaN(heapPerActor)) { // later, actors of earlier iterations may still be ending
            heapPerActor = (double) (Heap.used() - heapBefore) / created.length;
        }
        SideResults.note("heapPerActor", heapPerActor, "B");
        for (int i = 0; i < created.length; i++) {
            Object actor = created[i];
            if (actor != null) {
                actors.stop(actor);
            }
            created[i] = null;
        }
    }
}
