package io.fibry.bench.shapes;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.pool.PoolOptions;
import io.fibry.stereotypes.Stereotypes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Tasks of 1,000 keys, from a platform thread. The tasks of a key run in order, one at a time. The peers are a keyed
 * pool with two workers, an actor for each key, and two executors with a thread each, to which the keys are assigned.
 * The pool and the executors limit the waiting tasks to 1,000 in all; the actors have no limit.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="shapes.KeyedPoolBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class KeyedPoolBenchmark extends ShapeBenchmark {

    private static final int TASKS = 200_000;
    private static final int KEYS = 1_000;
    private static final int AT_A_TIME = 2;
    private static final int WAITING = 1_000;

    @Param({"FIBRY", "ACTOR_PER_KEY", "STRIPED_EXECUTORS"})
    public String peer;

    /** The computation per task, in tokens of JMH: none, and a few microseconds. */
    @Param({"0", "2000"})
    public int tokens;

    /** The next task of each key, which checks the order. Written by the tasks of the key. */
    private final int[] next = new int[KEYS];

    private final class Tasks {

        private final CountDownLatch missing;

        Tasks(int tasks) {
            missing = new CountDownLatch(tasks);
        }

        void run(int task) {
            if (tokens > 0) {
                Blackhole.consumeCPU(tokens);
            }
            int key = task % KEYS;
            if (next[key] != task) {
                throw new IllegalStateException("task " + task + " instead of " + next[key]);
            }
            next[key] = task + KEYS;
            missing.countDown();
        }

        void await() throws InterruptedException {
            if (!missing.await(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException(missing.getCount() + " tasks are missing");
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void task() throws InterruptedException {
        int count = scaled(TASKS);
        for (int key = 0; key < KEYS; key++) {
            next[key] = key;
        }
        var tasks = new Tasks(count);
        switch (peer) {
            case "FIBRY" -> pool(tasks, count);
            case "ACTOR_PER_KEY" -> actors(tasks, count);
            case "STRIPED_EXECUTORS" -> executors(tasks, count);
            default -> throw unknown(peer);
        }
    }

    private static void pool(Tasks tasks, int count) throws InterruptedException {
        PoolOptions<Integer> options =
                PoolOptions.of(AT_A_TIME).bounded(WAITING, Overflow.BLOCK).keyed((Integer task) -> task % KEYS);
        try (var system = ActorSystem.create();
                var pool = Stereotypes.def().in(system).workerPool(tasks::run, options)) {
            for (int task = 0; task < count; task++) {
                pool.tell(task);
            }
            tasks.await();
        }
    }

    private static void actors(Tasks tasks, int count) throws InterruptedException {
        try (var system = ActorSystem.create()) {
            List<Actor<Integer>> actors = new ArrayList<>();
            for (int key = 0; key < KEYS; key++) {
                actors.add(system.actor().newActor(tasks::run));
            }
            for (int task = 0; task < count; task++) {
                actors.get(task % KEYS).tell(task);
            }
            tasks.await();
        }
    }

    private static void executors(Tasks tasks, int count) throws InterruptedException {
        List<ThreadPoolExecutor> executors = new ArrayList<>();
        for (int i = 0; i < AT_A_TIME; i++) {
            var queue = new ArrayBlockingQueue<Runnable>(WAITING / AT_A_TIME);
            executors.add(new ThreadPoolExecutor(1, 1, 1, TimeUnit.DAYS, queue, new WaitForRoom()));
        }
        for (int task = 0; task < count; task++) {
            int next = task;
            executors.get(task % AT_A_TIME).execute(() -> tasks.run(next));
        }
        tasks.await();
        executors.forEach(ThreadPoolExecutor::close);
    }

    private static final class WaitForRoom implements RejectedExecutionHandler {

        @Override
        public void rejectedExecution(Runnable task, ThreadPoolExecutor executor) {
            try {
                executor.getQueue().put(task);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
