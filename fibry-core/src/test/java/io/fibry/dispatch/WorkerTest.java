package io.fibry.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a worker ends in favor of other virtual threads, and where it leaves its actor. The test is its thread. */
@Timeout(60)
class WorkerTest {

    private static final int TURNS = 4;

    private final Queue<Runnable> started = new ConcurrentLinkedQueue<>(); // the watch may start spares, too
    private final Threads threads = new Threads();
    private final WorkerScheduler scheduler =
            new WorkerScheduler(new WorkerWatchTest.Ignore(), started::add, 2, true, threads);

    private void runFirstWorker() {
        started.remove().run();
    }

    /** Otherwise the watch would observe the scheduler until the JVM ends. */
    @AfterEach
    void runsAllActors() {
        threads.waiting = 0;
        while (!scheduler.isQuiescent()) {
            Runnable worker = started.poll();
            if (worker == null) {
                Thread.onSpinWait(); // the watch is about to start one
            } else {
                worker.run();
            }
        }
        Thread.currentThread().setUncaughtExceptionHandler(null); // this thread is no longer a worker
    }

    @Test
    void keepsAnActorForSeveralSlicesIfNoThreadWaits() {
        var actor = new Turns(TURNS, WorkerTest::sliceEnds);
        scheduler.ready(actor);
        runFirstWorker();
        assertEquals(TURNS, actor.turns);
    }

    @Test
    void endsAfterASliceIfAThreadWaits() {
        threads.waiting = 1;
        var actor = new Turns(TURNS, WorkerTest::sliceEnds);
        scheduler.ready(actor);
        runFirstWorker();
        assertEquals(1, actor.turns);
    }

    private static boolean sliceEnds() {
        int begin = WorkerWatch.ticks();
        while (WorkerWatch.ticks() - begin <= 2) {
            Thread.onSpinWait();
        }
        return true;
    }

    /** An actor in the shared queue would be taken by a spare that comes too late for the other one. */
    @Test
    void anActorThatMakesWayForAnotherOneStaysInTheRunQueueOfItsWorker() {
        List<Boolean> shared = new ArrayList<>();
        var other = new Turns(1, () -> shared.add(scheduler.queues.haveShared()));
        var first = new AtomicBoolean(true);
        var actor = new Turns(TURNS, () -> {
            if (first.getAndSet(false)) {
                scheduler.queues.share(other);
            }
            return true;
        });
        scheduler.ready(actor);
        runFirstWorker();
        assertEquals(TURNS, actor.turns);
        assertEquals(List.of(false), shared);
    }

    @Test
    void theSpareIsNoOtherThread() {
        threads.waiting = 1;
        assertTrue(scheduler.otherThreadsWait());
        assertTrue(scheduler.claimSpare());
        assertFalse(scheduler.otherThreadsWait());
        assertTrue(scheduler.threadsWait());
        threads.waiting = 2;
        assertTrue(scheduler.otherThreadsWait());
        scheduler.releaseSpare();
    }

    /** It would wait for this thread, which is its starter. */
    @Test
    void aSpareWithoutWorkEndsBeforeTheOutcomeOfItsStartIsKnown() {
        var slow = new WorkerScheduler(new WorkerWatchTest.Ignore(), Runnable::run, 2, true, threads);
        slow.ensureSpare();
        assertFalse(slow.spareIsComing());
        assertEquals(2, slow.spareStamp());
    }

    @Test
    void aStartThatFailsAfterTheSpareHasEndedDoesNotClearTheFlagAgain() {
        var failing = new WorkerScheduler(
                new WorkerWatchTest.Ignore(),
                worker -> {
                    worker.run();
                    throw new RejectedExecutionException();
                },
                2,
                true,
                threads);
        failing.ensureSpare();
        assertFalse(failing.spareIsComing());
        assertEquals(2, failing.spareStamp());
    }

    private static final class Threads extends WaitingThreads {

        private int waiting;

        @Override
        boolean areMoreThan(int number) {
            return waiting > number;
        }
    }

    static final class Turns extends ActorRingTest.Ready {

        private final int most;
        private final BooleanSupplier turn;
        private int turns;

        Turns(int most, BooleanSupplier turn) {
            this.most = most;
            this.turn = turn;
        }

        @Override
        public boolean runTurn(ActorThread r, @Nullable Future<?> awaited) {
            return turn.getAsBoolean() && ++turns < most;
        }
    }
}
