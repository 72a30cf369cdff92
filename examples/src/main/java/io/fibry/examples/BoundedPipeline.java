package io.fibry.examples;

import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.stereotypes.Stereotypes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;

/**
 * Backpressure: a fast source sends blocks of data to a stage that computes checksums, which sends them to a slow
 * store. Each mailbox holds eight blocks, and a sender waits for room. Memory use is therefore independent of the
 * number of blocks, and no block is lost. The argument is the number of blocks, by default 10000.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=BoundedPipeline -Dargs="10000"}
 */
public final class BoundedPipeline {
    private static final int ROOM = 8;
    private static final int SIZE = 16_384;

    private final AtomicInteger alive = new AtomicInteger();
    private int mostAlive; // accessed by the source only
    private int stored; // written by the store only

    private record Block(int number, ByteBuffer data) {}

    private record Summed(Block block, long sum) {}

    public static void main(String[] args) {
        int blocks = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        var pipeline = new BoundedPipeline();
        pipeline.run(blocks);
        System.out.println(pipeline.stored + " of " + blocks + " blocks arrived in order and intact: "
                + (long) blocks * SIZE / 1_000_000 + " MB. At most " + pipeline.mostAlive
                + " blocks were in memory at a time.");
    }

    private void run(int blocks) {
        var store = ActorSystem.anonymous().bounded(ROOM, Overflow.BLOCK).newActor(this::store);
        var sums = ActorSystem.anonymous()
                .bounded(ROOM, Overflow.BLOCK)
                .newActor((Block block) -> store.tell(new Summed(block, sum(block))))
                .closeOnExit(store); // after the last block
        Stereotypes.def()
                .runOnce(() -> {
                    for (int i = 0; i < blocks; i++) {
                        mostAlive = Math.max(mostAlive, alive.incrementAndGet());
                        var data = new byte[SIZE];
                        Arrays.fill(data, (byte) i);
                        sums.tell(new Block(i, ByteBuffer.wrap(data))); // waits while the mailbox is full
                    }
                })
                .closeOnExit(sums);
        store.waitForExit();
    }

    private void store(Summed summed) {
        if (summed.block.number == stored && sum(summed.block) == summed.sum) {
            stored++;
        }
        LockSupport.parkNanos(50_000); // simulates a disk
        alive.decrementAndGet();
    }

    private static long sum(Block block) {
        var sum = new CRC32();
        sum.update(block.data.duplicate());
        return sum.getValue();
    }
}
