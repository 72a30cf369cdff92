package io.fibry.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WorkerWatchTest {

    /** Otherwise a live system would keep a closed one in memory. */
    @Test
    @Timeout(60)
    void aSchedulerThatIsDroppedHasNoLink() throws InterruptedException {
        var busy = new Threads();
        var idle = new Threads();
        var second = new WorkerScheduler(new Ignore(), busy, 2, true);
        second.needSpare();
        until(() -> busy.refused);
        var first = new WorkerScheduler(new Ignore(), idle, 2, true);
        first.needSpare();
        until(() -> first.nextWatched == second);
        idle.accepts = true;
        until(() -> first.nextWatched == null);
        busy.accepts = true;
    }

    /** A check may miss a worker with a short turn. */
    @Test
    void aSpareBetweenTwoTicksEndsTheIdleness() {
        var scheduler = new WorkerScheduler(new Ignore(), new Threads(), 2, true);
        assertEquals(1, scheduler.idleTicks());
        assertEquals(2, scheduler.idleTicks());
        assertTrue(scheduler.claimSpare());
        scheduler.releaseSpare();
        assertEquals(0, scheduler.idleTicks());
        assertEquals(1, scheduler.idleTicks());
    }

    /** Polls, because the watch reports nothing. */
    private static void until(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(1);
        }
    }

    /** Refuses workers at first: a scheduler that needs a worker is not dropped. Then accepts them, and runs none. */
    private static final class Threads implements Executor {
        volatile boolean accepts;
        volatile boolean refused;

        @Override
        public void execute(Runnable worker) {
            if (!accepts) {
                refused = true;
                LockSupport.parkNanos(1_000_000); // the watch tries again at once
                throw new RejectedExecutionException();
            }
        }
    }

    static final class Ignore implements DispatchListener {
        @Override
        public void active() {}

        @Override
        public void runnerGone(ActorThread runner) {}

        @Override
        public void turnsEnded() {}

        @Override
        public void rejected(ScheduledActor actor, Throwable cause) {}

        @Override
        public void spareNotStarted(Throwable cause) {}
    }
}
