package io.fibry.bench.shapes;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * Items that pass through eight stages, each with a limit of 64 waiting items: actors with bounded mailboxes,
 * virtual threads with queues, and Go. A virtual thread sends the items.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="shapes.PipelineBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the field
public class PipelineBenchmark extends ShapeBenchmark {

    private static final int ITEMS = 200_000;
    private static final int STAGES = 8;
    private static final int WAITING = 64;

    @Param({"FIBRY", "VIRTUAL_THREADS", "GO"})
    public String peer;

    /** The last stage. */
    private static final class Sum {

        private final CompletableFuture<Integer> result = new CompletableFuture<>();
        private final int items;
        private int count;
        private int sum;

        Sum(int items) {
            this.items = items;
        }

        /** Returns whether there are more items. */
        boolean add(int value) {
            sum += value;
            if (++count == items) {
                result.complete(sum);
            }
            return count < items;
        }
    }

    private interface Sender {
        void send(Integer item) throws InterruptedException;
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public void item() throws Exception {
        int items = scaled(ITEMS);
        long sum = switch (peer) {
            case "FIBRY" -> actors(items);
            case "VIRTUAL_THREADS" -> queues(items);
            case "GO" -> runInGo("pipeline", items, STAGES, WAITING);
            default -> throw unknown(peer);
        };
        check((long) items * STAGES, sum);
    }

    private static int actors(int items) throws Exception {
        try (var system = ActorSystem.create()) {
            var sum = new Sum(items);
            Actor<Integer> next = actor(system, n -> sum.add(n + 1));
            for (int i = 1; i < STAGES; i++) {
                Actor<Integer> target = next;
                next = actor(system, n -> target.tell(n + 1));
            }
            return result(sum, next::tell);
        }
    }

    private static Actor<Integer> actor(ActorSystem system, Sender stage) {
        return system.actor().bounded(WAITING, Overflow.BLOCK).newActor(stage::send);
    }

    private static int queues(int items) throws Exception {
        var sum = new Sum(items);
        BlockingQueue<Integer> next = queue();
        BlockingQueue<Integer> last = next;
        start(() -> {
            boolean more;
            do {
                more = sum.add(last.take() + 1);
            } while (more);
        });
        for (int i = 1; i < STAGES; i++) {
            BlockingQueue<Integer> target = next;
            BlockingQueue<Integer> source = queue();
            start(() -> {
                for (int n = 0; n < items; n++) {
                    target.put(source.take() + 1);
                }
            });
            next = source;
        }
        return result(sum, next::put);
    }

    private static BlockingQueue<Integer> queue() {
        return new ArrayBlockingQueue<>(WAITING);
    }

    private static int result(Sum sum, Sender first) throws Exception {
        start(() -> {
            for (int i = 0; i < sum.items; i++) {
                first.send(0);
            }
        });
        return sum.result.get();
    }
}
