package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Workers that cannot be started. */
class SpareTest extends KernelTest {

    private final AtomicInteger threadsToFail = new AtomicInteger();

    private final Executor workerThreads = task -> {
        if (threadsToFail.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            throw new OutOfMemoryError("no thread, says the test");
        }
        Thread.ofVirtual().name("fibry-worker").start(task);
    };

    @Test
    void afterASpareThatCannotStartTheNextTellGetsBothActorsGoing() {
        try (var local = new LocalSystem(ThreadStrategy.virtual(), workerThreads, 1)) {
            var first = new CompletableFuture<Integer>();
            var second = new CompletableFuture<Integer>();
            var one = local.actor().newActor((Integer n) -> first.complete(n));
            var two = local.actor().newActor((Integer n) -> second.complete(n));
            threadsToFail.set(1);
            assertThrows(OutOfMemoryError.class, () -> one.tell(1));
            two.tell(2);
            assertEquals(2, Await.value(second));
            assertEquals(1, Await.value(first));
        }
    }

    @Test
    void workersGoOnWithoutASpareThatCannotStart() {
        try (var local = new LocalSystem(ThreadStrategy.virtual(), workerThreads, 1)) {
            var gate = new Gate();
            var busy = local.actor().newActor((Integer n) -> gate.pass());
            busy.tell(1);
            gate.awaitReached();
            List<ReplyActor<Integer, Integer>> others = new ArrayList<>();
            List<CompletableFuture<Integer>> replies = new ArrayList<>();
            threadsToFail.set(5);
            for (int i = 0; i < 20; i++) {
                ReplyActor<Integer, Integer> other = local.actor().newActorWithReturn((Integer n) -> n);
                others.add(other);
                try {
                    replies.add(other.ask(i));
                } catch (OutOfMemoryError e) {
                    assertEquals("no thread, says the test", e.getMessage());
                }
            }
            assertEquals(15, replies.size());
            replies.forEach(Await::value);
            gate.open();
            others.forEach(other -> assertEquals(1, Await.value(other.ask(1))));
        }
    }
}
