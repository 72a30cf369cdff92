package io.fibry.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * A worker that is kept, and the threads that wake it up or end it.
 *
 * <p>Seen to fail: an offer that is withdrawn by a write; a kept worker that an interrupt ends; a watch that does not
 * end it, or that is not told of it.
 */
class KeptWorkerTest {

    private static final int ROUNDS = 20_000;
    private static final int MAX_SPINS = 2_000;

    private final WorkerScheduler scheduler =
            new WorkerScheduler(new WorkerWatchTest.Ignore(), new WorkerThreads(), 2, true);

    /** Keeps a worker in a thread of its own. The future is whether it has become the spare. */
    private static final class Kept extends CompletableFuture<Boolean> {

        private final Thread thread;

        Kept(KeptWorker kept, WorkerScheduler scheduler) {
            var worker = new Worker(scheduler, 0);
            thread = Thread.startVirtualThread(() -> {
                worker.adoptCurrentThread();
                complete(kept.publish(worker) && kept.await(worker));
            });
        }
    }

    private Kept keep(KeptWorker kept) {
        var worker = new Kept(kept, scheduler);
        Await.until("a worker is kept", () -> !kept.isNone());
        return worker;
    }

    @Test
    void theKeptWorkerBecomesTheSpare() {
        var kept = new KeptWorker();
        assertFalse(kept.wake());
        Kept worker = keep(kept);
        assertFalse(Await.value(new Kept(kept, scheduler)), "only one is kept");
        assertTrue(kept.wake());
        assertTrue(Await.value(worker));
        assertTrue(kept.isNone());
        assertFalse(kept.wake());
    }

    @Test
    void theKeptWorkerEnds() {
        var kept = new KeptWorker();
        kept.end();
        Kept worker = keep(kept);
        kept.end();
        assertFalse(Await.value(worker));
        assertTrue(kept.isNone());
    }

    @Test
    void anInterruptDoesNotEndTheKeptWorker() {
        var kept = new KeptWorker();
        Kept worker = keep(kept);
        worker.thread.interrupt();
        Await.until("the interrupt is cleared", () -> !worker.thread.isInterrupted());
        Await.until("the worker is parked", () -> worker.thread.getState() == Thread.State.WAITING);
        assertFalse(worker.isDone());
        assertTrue(kept.wake());
        assertTrue(Await.value(worker));
    }

    @Test
    void aWorkerThatCannotBeWokenIsNotTheSpare() {
        for (Throwable failure : List.of(new OutOfMemoryError("meant to fail"), new RejectedExecutionException())) {
            var kept = new Failing(failure, false);
            Kept worker = keep(kept);
            assertFalse(kept.wake());
            assertTrue(kept.isNone());
            LockSupport.unpark(worker.thread);
            assertFalse(Await.value(worker));
        }
    }

    /** The waking thread and the worker agree on which of them holds the spare flag. */
    @Test
    void anUnparkMayFailAlthoughTheWorkerRuns() {
        var random = new Random(1);
        var spares = new AtomicInteger();
        for (int round = 0; round < ROUNDS; round++) {
            var kept = new Failing(new OutOfMemoryError("meant to fail"), true);
            kept.spins = random.nextInt(MAX_SPINS);
            Kept worker = keep(kept);
            boolean woken = kept.wake();
            assertEquals(woken, Await.value(worker));
            spares.addAndGet(woken ? 1 : 0);
        }
        assertTrue(spares.get() > 0 && spares.get() < ROUNDS, () -> "one outcome only: " + spares);
    }

    @Test
    void aWakeUpRacesWithTheEnd() {
        var random = new Random(1);
        for (int round = 0; round < ROUNDS; round++) {
            var kept = new KeptWorker();
            Kept worker = keep(kept);
            int spins = random.nextInt(MAX_SPINS);
            var ender = Thread.startVirtualThread(() -> {
                spin(spins);
                kept.end();
            });
            spin(random.nextInt(MAX_SPINS));
            assertEquals(kept.wake(), Await.value(worker));
            Await.thread(ender);
        }
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    /** Its unpark fails, before it takes effect or afterwards. */
    private static final class Failing extends KeptWorker {

        private final Throwable failure;
        private final boolean afterwards;
        private int spins;

        Failing(Throwable failure, boolean afterwards) {
            this.failure = failure;
            this.afterwards = afterwards;
        }

        @Override
        void unpark(Worker worker) {
            if (afterwards) {
                super.unpark(worker);
                spin(spins);
            }
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        }
    }

    // ---- in a scheduler

    /** Counts the started threads. */
    private static final class Counting implements Executor {

        private final List<Thread> started = new ArrayList<>();

        @Override
        public synchronized void execute(Runnable worker) {
            started.add(Thread.startVirtualThread(worker));
        }

        synchronized List<Thread> started() {
            return List.copyOf(started);
        }
    }

    /** Repeated, since the watch may end the kept worker before the second message. */
    @Test
    void theNextReadyActorStartsNoThread() {
        var counting = new Counting();
        var own = new WorkerScheduler(new WorkerWatchTest.Ignore(), counting, 1, true);
        Await.until("an actor runs on the kept worker", () -> {
            run(own);
            Await.until("the worker is kept, or has ended", () -> !own.spareIsComing() && own.workers() == 0);
            int before = counting.started().size();
            run(own);
            return counting.started().size() == before;
        });
        counting.started().forEach(Await::thread); // they are idle now
    }

    private static void run(WorkerScheduler own) {
        var done = new CompletableFuture<Boolean>();
        own.ready(new WorkerTest.Turns(1, () -> done.complete(true)));
        assertTrue(Await.value(done));
    }

    /** The watch may have dropped the scheduler since the worker found its work. */
    @Test
    void theWatchEndsTheKeptWorkerOfASchedulerThatItDidNotWatch() {
        var worker = new Worker(scheduler, 0);
        var isSpare = new CompletableFuture<Boolean>();
        Thread.startVirtualThread(() -> {
            worker.adoptCurrentThread();
            isSpare.complete(scheduler.keeps(worker));
        });
        assertFalse(Await.value(isSpare));
    }

    /** Workers are kept while the watch drops their schedulers. */
    @Test
    void theThreadsOfIdleSchedulersEnd() {
        var random = new Random(1);
        var counting = new Counting();
        List<WorkerScheduler> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(new WorkerScheduler(new WorkerWatchTest.Ignore(), counting, 2, true));
        }
        for (int round = 0; round < ROUNDS; round++) {
            run(all.get(random.nextInt(all.size())));
        }
        counting.started().forEach(Await::thread);
        all.forEach(each -> assertTrue(each.isQuiescent()));
    }

    /** Its owner needs it. */
    @Test
    void aPlatformThreadIsNotKept() {
        List<Runnable> started = new ArrayList<>();
        var own = new WorkerScheduler(new WorkerWatchTest.Ignore(), started::add, 1, true);
        own.ready(new WorkerTest.Turns(1, () -> true));
        var thread = Thread.ofPlatform().start(started.removeFirst());
        while (thread.isAlive()) {
            assertTrue(own.kept.isNone());
        }
        assertTrue(own.isQuiescent());
    }
}
