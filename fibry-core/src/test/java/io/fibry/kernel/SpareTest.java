package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.ReplyActor;
import io.fibry.ThreadStrategy;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
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
    void aSpareThatCannotStartIsStartedLaterWithoutAFailureOfTheSender() {
        try (var local = new LocalSystem(ThreadStrategy.virtual(), workerThreads, 1)) {
            var first = new CompletableFuture<Integer>();
            var one = local.actor().newActor((Integer n) -> first.complete(n));
            threadsToFail.set(5);
            one.tell(1);
            assertEquals(1, Await.value(first));
        }
    }

    @Test
    void workersContinueWithoutASpareThatCannotStart() {
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
                replies.add(other.ask(i));
            }
            replies.forEach(Await::value);
            gate.open();
            others.forEach(other -> assertEquals(1, Await.value(other.ask(1))));
        }
    }
}
