package io.fibry.bench.shapes;

import io.fibry.ActorSystem;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import io.fibry.stereotypes.Stereotypes;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A burst of messages to new entities whose state takes a second to load, with and without a limit to the number of
 * entities in memory. While all entities load, none can be evicted, and the search for one must not delay the senders.
 * The result is the time for one entity; {@code worstTellMicros} is the longest {@code tell}.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="shapes.SlowEntitiesBenchmark"}
 */
public class SlowEntitiesBenchmark extends ShapeBenchmark {

    private static final int KEYS = 16_000;
    private static final long LOAD_MILLIS = 1_000;

    @Param({"1000", "2147483647"})
    public int maxInMemory = 1_000;

    /** The longest {@code tell} of an invocation. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class WorstTell {

        public long worstTellMicros;

        @Setup(Level.Iteration)
        public void reset() {
            worstTellMicros = 0;
        }
    }

    @Benchmark
    @OperationsPerInvocation(KEYS)
    public void entity(WorstTell worst) throws InterruptedException {
        int keys = scaled(KEYS);
        var done = new CountDownLatch(keys);
        try (var system = ActorSystem.create()) {
            Entities<Integer, Integer, Integer> entities = Stereotypes.def()
                    .in(system)
                    .entities(
                            key -> load(done),
                            EntityOptions.defaults().idleTimeout(null).maxInMemory(maxInMemory));
            for (int key = 0; key < keys; key++) {
                long before = System.nanoTime();
                entities.ref(key).tell(key);
                long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - before);
                worst.worstTellMicros = Math.max(worst.worstTellMicros, micros);
            }
            done.await();
        }
        check(0, done.getCount());
    }

    private static EntityBehavior<Integer, Integer> load(CountDownLatch done) throws InterruptedException {
        Thread.sleep(LOAD_MILLIS);
        return message -> {
            done.countDown();
            return message;
        };
    }
}
