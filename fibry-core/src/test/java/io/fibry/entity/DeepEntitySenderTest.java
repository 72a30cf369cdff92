package io.fibry.entity;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorRef;
import io.fibry.ThreadStrategy;
import io.fibry.testing.DeepStack;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Senders so deep in a recursion that the stop of another entity exhausts the stack: the limit holds afterwards. */
class DeepEntitySenderTest extends EntitiesCase {

    private static final int DEPTHS = 80;

    /** The number of senders at each depth. Each of them is one frame deeper than the previous one. */
    private static final int FRAMES = 24;

    /** More than the number of entities that a sender examines. */
    private static final int MAX = 9;

    private final CountDownLatch go = new CountDownLatch(1);
    private final Semaphore running = new Semaphore(0);

    @AfterEach
    void release() {
        go.countDown();
    }

    @Test
    void theLimitHoldsAfterSendersWithLittleStack() throws Exception {
        LocalEntities<String, Integer, Integer> entities = start(
                ThreadStrategy.virtual(),
                key -> message -> {
                    if (key.startsWith("busy")) {
                        running.release();
                        go.await();
                    }
                    return message;
                },
                ALWAYS.maxInMemory(MAX));
        link(entities);
        List<ActorRef<Integer, Integer>> refs = IntStream.range(0, DEPTHS * FRAMES)
                .mapToObj(i -> entities.ref("key" + i))
                .toList();
        var accepted = new AtomicInteger();
        int tried = DeepStack.onSmallStack(() -> DeepStack.runAtAllDepths(DEPTHS, depth -> {
            for (int frames = 0; frames < FRAMES; frames++) {
                if (isAccepted(refs.get(depth * FRAMES + frames), frames)) {
                    accepted.incrementAndGet();
                }
            }
        }));
        assertTrue(accepted.get() > 0 && accepted.get() < tried * FRAMES, accepted + " of " + tried * FRAMES);
        await().atMost(MINUTE).until(() -> entities.size() <= MAX);
        assertEquals(1, entities.ref("another").ask(1, MINUTE).join());
        await().atMost(MINUTE).until(() -> entities.size() <= MAX);
    }

    private static boolean isAccepted(ActorRef<Integer, Integer> ref, int frames) {
        try {
            tell(ref, frames);
            return true;
        } catch (StackOverflowError e) {
            return false;
        }
    }

    private static void tell(ActorRef<Integer, Integer> ref, int frames) {
        if (frames == 0) {
            ref.tell(1);
        } else {
            tell(ref, frames - 1);
        }
    }

    /** Loads and links the code of a stop, and of a search by the helper, which must not fail for lack of stack. */
    private void link(LocalEntities<String, Integer, Integer> entities) throws InterruptedException {
        for (int i = 0; i < MAX; i++) {
            entities.ref("busy" + i).tell(1);
        }
        assertTrue(running.tryAcquire(MAX, 60, TimeUnit.SECONDS));
        assertEquals(1, entities.ref("linked").ask(1, MINUTE).join());
        go.countDown();
        for (int i = 0; i <= MAX; i++) {
            assertEquals(1, entities.ref("linked" + i).ask(1, MINUTE).join());
        }
    }
}
