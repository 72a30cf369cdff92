package io.fibry.examples;

import io.fibry.ReplyActor;
import io.fibry.batch.BatchOptions;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A batcher: many small writes go to a slow disk in few round trips, and the reply to each is the position of its row.
 * The argument is the number of writes, by default 10000.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=BatchedWrites -Dargs="10000"}
 */
public final class BatchedWrites {

    private static final Duration ROUND_TRIP = Duration.ofMillis(1);

    private int roundTrips; // written by the batcher only, like the next field
    private long position;

    public static void main(String[] args) {
        int writes = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        new BatchedWrites().run(writes);
    }

    private void run(int writes) {
        ReplyActor<String, Long> disk =
                Stereotypes.def().batcherWithReturn(this::write, BatchOptions.of(100, Duration.ofMillis(5)));
        List<CompletableFuture<Long>> replies =
                IntStream.range(0, writes).mapToObj(i -> disk.ask("row " + i)).toList();
        disk.close();
        long last = replies.stream().mapToLong(CompletableFuture::join).max().orElse(0);
        System.out.println(writes + " writes have their replies, in " + roundTrips + " round trips; the last row is at "
                + last + ".");
    }

    private List<Long> write(List<String> rows) {
        LockSupport.parkNanos(ROUND_TRIP.toNanos()); // simulates a disk
        roundTrips++;
        return rows.stream().map(row -> position += row.length()).toList();
    }
}
