package io.fibry.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A work of {@link CustomScheduler}. */
interface SchedulerWork {

    int COUNT = 5_000;
    int PAUSE_NANOS = 100_000;
    int LIMIT_SECONDS = 30;

    /** Returns the number of operations. */
    long run() throws InterruptedException;

    /**
     * Handlers pass a message on, and then some of them sleep.
     *
     * @param hopsPerSleep the number of hops after which a handler sleeps; 0 for none
     */
    static SchedulerWork ring(UnaryOperator<Consumer<Long>> actors, int size, int hops, int hopsPerSleep) {
        var done = new Semaphore(0);
        List<Consumer<Long>> ring = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int next = (i + 1) % size;
            ring.add(actors.apply(left -> {
                if (left == 1) {
                    done.release();
                } else {
                    ring.get(next).accept(left - 1);
                }
                if (hopsPerSleep > 0 && left % hopsPerSleep == 0) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }));
        }
        var sum = new AtomicLong();
        return () -> {
            ring.get((int) (sum.getAndAdd(hops) % size)).accept((long) hops);
            if (!done.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the message is lost");
            }
            return hops;
        };
    }

    /** A virtual thread sends a message and parks until the handler has unparked it. */
    static SchedulerWork requests(UnaryOperator<Consumer<Long>> actors, ThreadFactory threads) {
        var answer = new AtomicLong();
        var asker = new AtomicReference<@Nullable Thread>();
        Consumer<Long> actor = actors.apply(request -> {
            answer.set(request);
            LockSupport.unpark(asker.get());
        });
        return inThread(threads, () -> {
            asker.set(Thread.currentThread());
            long first = answer.get();
            for (long request = first + 1; request <= first + COUNT; request++) {
                actor.accept(request);
                while (answer.get() != request) {
                    LockSupport.park(answer);
                }
            }
            return COUNT;
        });
    }

    static SchedulerWork startAndJoin(ThreadFactory threads) {
        return inThread(threads, () -> {
            for (int i = 0; i < COUNT; i++) {
                Thread thread = threads.newThread(() -> {});
                thread.start();
                thread.join();
            }
            return COUNT;
        });
    }

    /** Two virtual threads wake each other. */
    static SchedulerWork roundTrips(ThreadFactory threads) {
        return inThread(threads, () -> {
            var there = new Semaphore(0);
            var back = new Semaphore(0);
            Thread other = threads.newThread(() -> {
                for (int i = 0; i < COUNT; i++) {
                    there.acquireUninterruptibly();
                    back.release();
                }
            });
            other.start();
            for (int i = 0; i < COUNT; i++) {
                there.release();
                back.acquire();
            }
            other.join();
            return COUNT;
        });
    }

    private static SchedulerWork inThread(ThreadFactory threads, SchedulerWork body) {
        return () -> {
            var task = new FutureTask<>(body::run);
            threads.newThread(task).start();
            try {
                return task.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        };
    }
}
