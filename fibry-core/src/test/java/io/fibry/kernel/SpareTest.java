package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.fibry.ReplyActor;
import io.fibry.ThreadStrategy;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Workers that cannot be started.
 *
 * <p>Seen to fail: a thread that runs a turn although its start has failed.
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

    /**
     * The JDK may submit a virtual thread to its scheduler, run out of memory, and mark the running thread as
     * terminated. Such a thread must not run a turn.
     */
    @Test
    void aWorkerMayRunAlthoughItsStartHasFailed() {
        Set<Thread> failed = ConcurrentHashMap.newKeySet();
        Executor failsAfterTheStart = task -> startAndFail(task, failed);
        try (var local = new LocalSystem(ThreadStrategy.virtual(), failsAfterTheStart, 1)) {
            checkThreads(failed, () -> local.actor().newActorWithReturn(n -> Thread.currentThread()));
        }
    }

    @Test
    void soMayTheThreadOfAnExecutor() {
        Set<Thread> failed = ConcurrentHashMap.newKeySet();
        var strategy = ThreadStrategy.pool(task -> startAndFail(task, failed));
        checkThreads(failed, () -> actor(strategy).newActorWithReturn(n -> Thread.currentThread()));
    }

    private void startAndFail(Runnable task, Set<Thread> failed) {
        boolean fails = threadsToFail.getAndUpdate(n -> Math.max(0, n - 1)) % 2 == 1;
        Thread thread = Thread.ofVirtual().name("fibry-worker").unstarted(task);
        if (fails) {
            failed.add(thread);
        }
        thread.start();
        if (fails) {
            LockSupport.parkNanos(100_000); // the thread runs
            throw new OutOfMemoryError("the thread has been started, says the test");
        }
    }

    private void checkThreads(Set<Thread> failed, Supplier<ReplyActor<Integer, Thread>> newActor) {
        List<ReplyActor<Integer, Thread>> actors =
                Stream.generate(newActor).limit(4).toList();
        for (int round = 0; round < 200; round++) {
            threadsToFail.set(5);
            List<CompletableFuture<Thread>> threads =
                    actors.stream().map(actor -> actor.ask(1)).toList();
            threads.forEach(thread -> assertFalse(failed.contains(Await.value(thread))));
        }
        assertFalse(failed.isEmpty());
    }
}
