package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Many senders of each kind at small mailboxes: some wait for room by a future, with or without a thread, some give up
 * their futures at random, and with {@link Overflow#BLOCK} some wait in {@code tell}. All complete, and every message
 * arrives once and in order.
 *
 * <p>Seen to fail, by senders that never end: a future that is added without the lock of the room, and a consumer that
 * notifies no waiter.
 */
class RoomStressTest extends KernelTest {

    private static final int SENDERS = 8;
    private static final int EACH = Integer.getInteger("fibry.stress.messages", 2_000);

    private record Message(int sender, int number) {}

    /** The last number of each sender. Accessed by the actor only. */
    private final int[] last = new int[SENDERS];

    private final AtomicLong sum = new AtomicLong();
    private final List<String> faults = new ArrayList<>();

    @AllStrategies
    void allGetThroughWithFutures(ThreadStrategy strategy) throws Exception {
        run(strategy, Overflow.FAIL, 1);
    }

    @AllStrategies
    void allSendersCompleteTogetherWithBlockingSenders(ThreadStrategy strategy) throws Exception {
        run(strategy, Overflow.BLOCK, 2);
    }

    private void run(ThreadStrategy strategy, Overflow overflow, long seed) throws Exception {
        var slow = new Random(seed);
        Actor<Message> actor = actor(strategy)
                .bounded(1 + slow.nextInt(3), overflow)
                .newActor((Message m) -> {
                    if (m.number != ++last[m.sender]) {
                        faults.add("number " + m.number + " of sender " + m.sender + " after " + (last[m.sender] - 1));
                    }
                    sum.addAndGet(m.number);
                    if (slow.nextInt(50) == 0) {
                        LockSupport.parkNanos(1_000);
                    }
                });
        var senders = new ArrayList<CompletableFuture<Boolean>>();
        for (int i = 0; i < SENDERS; i++) {
            int sender = i;
            var done = new CompletableFuture<Boolean>();
            senders.add(done);
            var random = new Random(seed * 100 + sender);
            switch (sender % 3) {
                case 0 -> sendWithoutThread(actor, sender, 1, done);
                case 1 -> Thread.startVirtualThread(() -> send(actor, sender, random, done));
                default ->
                    Thread.startVirtualThread(() -> {
                        if (overflow == Overflow.BLOCK) {
                            for (int n = 1; n <= EACH; n++) {
                                actor.tell(new Message(sender, n));
                            }
                            done.complete(true);
                        } else {
                            send(actor, sender, random, done);
                        }
                    });
            }
        }
        senders.forEach(Await::value);
        actor.close(Await.LIMIT);
        assertEquals(List.of(), faults);
        assertEquals((long) SENDERS * EACH * (EACH + 1) / 2, sum.get());
    }

    private static void send(Actor<Message> actor, int sender, Random random, CompletableFuture<Boolean> done) {
        try {
            for (int n = 1; n <= EACH; n++) {
                while (!actor.tryTell(new Message(sender, n))) {
                    CompletableFuture<@Nullable Void> room = actor.whenWritable();
                    if (random.nextInt(10) == 0) {
                        room.cancel(false); // a wake-up meant for this sender must go to another
                        room = actor.whenWritable();
                    }
                    room.get(30, TimeUnit.SECONDS);
                }
            }
            done.complete(true);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            done.completeExceptionally(e);
        }
    }

    /** Each part of it runs on the thread that completes the future for room. */
    private static void sendWithoutThread(Actor<Message> actor, int sender, int from, CompletableFuture<Boolean> done) {
        for (int n = from; n <= EACH; n++) {
            if (!actor.tryTell(new Message(sender, n))) {
                int next = n;
                var unused = actor.whenWritable().thenRunAsync(() -> sendWithoutThread(actor, sender, next, done));
                return;
            }
        }
        done.complete(true);
    }
}
