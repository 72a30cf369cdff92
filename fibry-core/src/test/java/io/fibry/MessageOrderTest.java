package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The order of messages, and the visibility of earlier handlers. */
class MessageOrderTest extends KernelTest {

    private static final int SENDERS = 4;
    private static final int MESSAGES = 5_000;

    private record Numbered(int sender, int number) {}

    private static final class Counter {
        int value;
    }

    @AllStrategies(direct = true)
    void messagesOfEachSenderKeepTheirOrder(ThreadStrategy strategy) {
        var next = new int[SENDERS];
        var wrong = new AtomicReference<String>();
        var actor = actor(strategy).newActor((Numbered m) -> {
            if (m.number() != next[m.sender()]++) {
                wrong.compareAndSet(null, m + " came instead of " + (next[m.sender()] - 1));
            }
        });
        fromSenders(sender -> {
            for (int i = 0; i < MESSAGES; i++) {
                actor.tell(new Numbered(sender, i));
            }
        });
        actor.close(Await.LIMIT);
        assertNull(wrong.get());
        for (int count : next) {
            assertEquals(MESSAGES, count);
        }
    }

    @AllStrategies
    void tellAskAndExecuteOfOneSenderShareOneOrder(ThreadStrategy strategy) {
        List<Integer> seen = new ArrayList<>();
        ReplyActor<Integer, Integer> actor = actor(strategy).newActorWithReturn((Integer n) -> {
            seen.add(n);
            return n;
        });
        List<Integer> sent = new ArrayList<>();
        for (int i = 0; i < 999; i++) {
            int number = i;
            sent.add(number);
            switch (i % 3) {
                case 0 -> actor.tell(number);
                case 1 -> actor.ask(number).join();
                default -> actor.execute(() -> seen.add(number));
            }
        }
        actor.close(Await.LIMIT);
        assertEquals(sent, seen);
    }

    @AllStrategies(direct = true)
    void handlersOfOneActorNeverOverlap(ThreadStrategy strategy) {
        var inside = new AtomicInteger();
        var overlaps = new AtomicInteger();
        var random = new Random(42);
        var actor = actor(strategy).newActor((Integer spins) -> {
            if (inside.incrementAndGet() != 1) {
                overlaps.incrementAndGet();
            }
            for (int i = 0; i < spins; i++) {
                Thread.onSpinWait();
            }
            inside.decrementAndGet();
        });
        fromSenders(sender -> {
            for (int i = 0; i < MESSAGES; i++) {
                actor.tell(random.nextInt(50));
                actor.execute(() -> overlaps.addAndGet(inside.get()));
            }
        });
        actor.close(Await.LIMIT);
        assertEquals(0, overlaps.get());
    }

    @AllStrategies(direct = true)
    void plainStateIsVisibleFromHandlerToHandler(ThreadStrategy strategy) {
        var state = new Counter();
        var actor = actor(strategy).newActor((Integer n) -> state.value += n);
        fromSenders(sender -> {
            var random = new Random(sender);
            for (int i = 0; i < MESSAGES; i++) {
                actor.tell(1);
                if (random.nextInt(100) == 0) {
                    Thread.onSpinWait(); // now and then the actor becomes idle, and continues on another thread
                }
            }
        });
        actor.close(Await.LIMIT);
        assertEquals(SENDERS * MESSAGES, state.value);
    }

    @AllStrategies(direct = true)
    void writesBeforeATellAreVisibleToItsHandler(ThreadStrategy strategy) {
        var unseen = new AtomicInteger();
        var actor = actor(strategy).newActor((Counter message) -> unseen.addAndGet(message.value - 7));
        for (int i = 0; i < MESSAGES; i++) {
            var message = new Counter();
            message.value = 7;
            actor.tell(message);
        }
        actor.close(Await.LIMIT);
        assertEquals(0, unseen.get());
    }

    @AllStrategies(direct = true)
    void writesOfAHandlerAreVisibleToTheReceiverOfItsReply(ThreadStrategy strategy) {
        var state = new Counter();
        ReplyActor<Integer, Integer> actor = actor(strategy).newActorWithReturn((Integer n) -> {
            state.value = n;
            return n;
        });
        for (int i = 0; i < 2_000; i++) {
            Await.value(actor.ask(i));
            assertEquals(i, state.value);
        }
    }

    private interface Sending {
        void as(int sender);
    }

    private static void fromSenders(Sending sending) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            int sender = i;
            threads.add(Thread.ofPlatform().start(() -> sending.as(sender)));
        }
        threads.forEach(Await::thread);
    }
}
