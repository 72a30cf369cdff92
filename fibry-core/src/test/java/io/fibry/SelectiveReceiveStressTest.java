package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Many senders, and a behavior that receives with timeouts about as long as the pauses between messages, so the waiting
 * and the sending thread compete for the consumer's role. No message is lost, none is handled twice or overtaken by a
 * later one of its sender that is treated alike, and no two handlers run at once.
 */
class SelectiveReceiveStressTest extends KernelTest {

    private static final int SENDERS = 4;
    private static final int MESSAGES = 4_000;
    private static final int ALL = SENDERS * MESSAGES;

    /** One in three is special: it is received, if a receive is waiting. */
    private record Message(int sender, int number) {
        boolean isSpecial() {
            return number % 3 == 0;
        }
    }

    private final AtomicInteger inHandler = new AtomicInteger();
    private final AtomicReference<@Nullable String> wrong = new AtomicReference<>();

    /** The last number of each sender, special and not. Accessed by the actor only, and therefore plain. */
    private final int[][] last = new int[SENDERS][2];

    private int count;

    @AllStrategies
    void noMessageIsLostOrOvertaken(ThreadStrategy strategy) {
        stress(actor(strategy), builder -> builder, 20_261_102);
    }

    @AllStrategies
    void noMessageOfABoundedMailboxIsLostOrOvertaken(ThreadStrategy strategy) {
        stress(actor(strategy), builder -> builder.bounded(16, Overflow.BLOCK), 20_261_103);
    }

    private void stress(ActorBuilder<Object> builder, UnaryOperator<ActorBuilder<Object>> mailbox, long seed) {
        var random = new Random(seed);
        for (int[] each : last) {
            each[0] = -1;
            each[1] = -1;
        }
        Actor<Message> actor = mailbox.apply(builder).newActorFrom(context -> message -> {
            if (inHandler.getAndIncrement() != 0) {
                wrong.set("two handlers at a time");
            }
            note(message);
            if (!message.isSpecial()) {
                Duration timeout = Duration.ofNanos(random.nextInt(40_000));
                context.receive(Message::isSpecial, timeout).ifPresent(this::note);
            }
            inHandler.decrementAndGet();
        });
        List<Thread> senders = new ArrayList<>();
        for (int s = 0; s < SENDERS; s++) {
            senders.add(sender(actor, s, new Random(seed + s + 1)));
        }
        senders.forEach(Await::thread);
        actor.close(Await.LIMIT);
        assertNull(wrong.get(), "seed " + seed);
        assertEquals(ALL, count, "seed " + seed);
        assertEquals(ALL, Await.end(actor).handled(), "seed " + seed);
        assertTrue(Await.end(actor).isNormal());
    }

    private static Thread sender(Actor<Message> actor, int sender, Random random) {
        return Thread.ofPlatform().start(() -> {
            for (int i = 0; i < MESSAGES; i++) {
                actor.tell(new Message(sender, i));
                for (int spins = random.nextInt(i % 10 == 0 ? 20_000 : 10); spins > 0; spins--) {
                    Thread.onSpinWait();
                }
            }
        });
    }

    private void note(Message message) {
        count++;
        int kind = message.isSpecial() ? 1 : 0;
        int before = last[message.sender][kind];
        if (message.number <= before) {
            wrong.set(message + " after number " + before);
        }
        last[message.sender][kind] = message.number;
    }
}
