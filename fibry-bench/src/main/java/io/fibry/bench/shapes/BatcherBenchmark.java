package io.fibry.bench.shapes;

import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.batch.BatchOptions;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * Messages from a platform thread, in batches of at most 100: by a batcher, and by a virtual thread that drains a
 * bounded queue of the JDK. The queue passes on the available messages without waiting for more.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="shapes.BatcherBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class BatcherBenchmark extends ShapeBenchmark {

    private static final int MESSAGES = 500_000;
    private static final int BATCH = 100;
    private static final int WAITING = 1_000;

    @Param({"FIBRY", "QUEUE_DRAIN_TO"})
    public String peer;

    private int handled; // by one thread at a time, and read after its end

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void message() throws InterruptedException {
        int messages = scaled(MESSAGES);
        handled = 0;
        switch (peer) {
            case "FIBRY" -> {
                var options = BatchOptions.of(BATCH, Duration.ofSeconds(1)).bounded(WAITING, Overflow.BLOCK);
                try (var system = ActorSystem.create();
                        var batcher = Stereotypes.def().in(system).batcher(this::handle, options)) {
                    for (int i = 0; i < messages; i++) {
                        batcher.tell(i);
                    }
                }
            }
            case "QUEUE_DRAIN_TO" -> {
                var queue = new ArrayBlockingQueue<Integer>(WAITING);
                Thread reader = Thread.ofVirtual().start(() -> drain(queue, messages));
                for (int i = 0; i < messages; i++) {
                    queue.put(i);
                }
                reader.join();
            }
            default -> throw unknown(peer);
        }
        check(messages, handled);
    }

    private void handle(List<Integer> batch) {
        handled += batch.size();
    }

    private void drain(ArrayBlockingQueue<Integer> queue, int messages) {
        try {
            while (handled < messages) {
                var batch = new ArrayList<Integer>(BATCH);
                batch.add(queue.take());
                queue.drainTo(batch, BATCH - 1);
                handle(batch);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
