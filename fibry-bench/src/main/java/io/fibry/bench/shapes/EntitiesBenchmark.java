package io.fibry.bench.shapes;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityOptions;
import io.fibry.stereotypes.Stereotypes;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Messages to entities by their keys, at random, from one platform thread. All entities are in memory. The alternative
 * is plain actors in a map, which a program would have to end itself.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="shapes.EntitiesBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class EntitiesBenchmark extends ShapeBenchmark {

    private static final int MESSAGES = 1_000_000;

    @Param({"FIBRY", "MAP_OF_ACTORS"})
    public String peer;

    @Param({"1000", "1000000"})
    public int keys;

    private ActorSystem system;
    private IntConsumer tell;
    private int[] order = {};
    private final AtomicInteger handled = new AtomicInteger();
    private volatile CountDownLatch done = new CountDownLatch(1);

    @Setup(Level.Trial)
    public void open() {
        system = ActorSystem.create();
        switch (peer) {
            case "FIBRY" -> {
                EntityOptions options = EntityOptions.defaults();
                Entities<Integer, Integer, Void> entities =
                        Stereotypes.def().in(system).entities(key -> this::counted, options);
                tell = key -> entities.ref(key).tell(key);
            }
            case "MAP_OF_ACTORS" -> {
                var actors = new ConcurrentHashMap<Integer, Actor<Integer>>();
                tell = key -> actors.computeIfAbsent(key, k -> system.actor().newActor(this::count))
                        .tell(key);
            }
            default -> throw unknown(peer);
        }
        order = new SplittableRandom(1).ints(scaled(MESSAGES), 0, keys).toArray();
        handled.set(MESSAGES - keys);
        done = new CountDownLatch(1);
        for (int key = 0; key < keys; key++) {
            tell.accept(key);
        }
        await();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void tell() {
        handled.set(MESSAGES - order.length);
        done = new CountDownLatch(1);
        for (int key : order) {
            tell.accept(key);
        }
        await();
    }

    private void count(int key) {
        if (handled.incrementAndGet() == MESSAGES) {
            done.countDown();
        }
    }

    private Void counted(int key) {
        count(key);
        return null;
    }

    private void await() {
        try {
            done.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @TearDown(Level.Trial)
    public void close() {
        system.close();
        check(MESSAGES, handled.get());
    }
}
