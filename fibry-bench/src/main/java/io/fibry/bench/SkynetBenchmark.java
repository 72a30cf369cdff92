package io.fibry.bench;

import io.fibry.bench.peers.Peer;
import io.fibry.bench.peers.Receiver;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time of a tree of 1,111,111 actors: each creates ten children, down to a million leaves. The leaves send their
 * numbers to their parents, which send the sums to their own parents; the total is 499,999,500,000. Each actor is
 * stopped when it has sent its sum.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="bench.SkynetBenchmark -prof
 * io.fibry.bench.SideResults"}
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 3)
public class SkynetBenchmark extends ActorBenchmark {

    private static final int CHILDREN = 10;

    /** A million, or the next smaller power of ten. */
    private final int leaves = (int) Math.pow(CHILDREN, Math.floor(Math.log10(Scale.of(1_000_000))));

    private long sum;

    @Benchmark
    public void tree() throws InterruptedException {
        start(actors, 0, leaves, total -> {
            sum = total;
            done.release();
        });
        done.acquire();
        check((long) leaves * (leaves - 1) / 2, sum);
    }

    private static void start(Peer actors, int first, int size, LongConsumer parent) {
        var node = new Node(actors, first, size, parent);
        Object self = actors.parent(node);
        node.self = self;
        actors.tell(self, "start");
    }

    @SuppressWarnings("NullAway.Init") // the node is made before its actor
    private static final class Node implements Receiver {
        private final Peer actors;
        private final int first;
        private final int size;
        private final LongConsumer parent;
        private Object self;
        private int missing = CHILDREN;
        private long sum;

        Node(Peer actors, int first, int size, LongConsumer parent) {
            this.actors = actors;
            this.first = first;
            this.size = size;
            this.parent = parent;
        }

        @Override
        public void accept(Object message) {
            if (message instanceof Long part) {
                sum += part;
                if (--missing == 0) {
                    finish(sum);
                }
            } else if (size == 1) {
                finish(first);
            } else {
                int each = size / CHILDREN;
                for (int child = 0; child < CHILDREN; child++) {
                    start(actors, first + child * each, each, part -> actors.tell(self, part));
                }
            }
        }

        private void finish(long result) {
            parent.accept(result);
            actors.stop(self);
        }
    }
}
