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

/**
 * Workers that cannot be started.
 *
 * <p>Seen to fail: a worker that runs although the scheduler has counted its start as failed.
 */
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

    /** The JDK may submit a virtual thread to its scheduler, and run out of memory afterwards. */
    @Test
    void aWorkerMayRunAlthoughItsStartHasFailed() {
        Executor failsAfterTheStart = task -> {
            Thread.ofVirtual().name("fibry-worker").start(task);
            if (threadsToFail.getAndUpdate(n -> Math.max(0, n - 1)) % 2 == 1) {
                throw new OutOfMemoryError("the thread has been started, says the test");
            }
        };
        try (var local = new LocalSystem(ThreadStrategy.virtual(), failsAfterTheStart, 1)) {
            List<ReplyActor<Integer, Integer>> actors = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                actors.add(local.actor().newActorWithReturn((Integer n) -> n));
            }
            for (int round = 0; round < 500; round++) {
                threadsToFail.set(5);
                int n = round;
                List<CompletableFuture<Integer>> replies =
                        actors.stream().map(actor -> actor.ask(n)).toList();
                replies.forEach(reply -> assertEquals(n, Await.value(reply)));
            }
        }
    }
}
