package io.fibry.bench.peers;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * An {@link ExecutorService} with a thread per core, at least two. An actor is a serial executor on it: a queue whose
 * tasks the pool runs one after the other, as in the documentation of {@link Executor}, but without a lock. The
 * alternative, a single-thread executor per actor, is a thread with a queue: see {@link VirtualThreads} for its cheaper
 * form.
 *
 * <p>An actor that waits for a reply holds a thread of the pool. With more such actors than threads, the pool
 * deadlocks.
 */
final class SerialExecutors extends RepliesByFuture {

    private final ExecutorService pool =
            Executors.newFixedThreadPool(Math.max(2, Runtime.getRuntime().availableProcessors()));

    private final ScheduledExecutorService clock =
            Executors.newScheduledThreadPool(Math.max(2, Runtime.getRuntime().availableProcessors()));

    private record Serial(Executor pool, Receiver behavior, ConcurrentLinkedQueue<Object> queue, AtomicInteger size)
            implements Runnable {

        void add(Object message) {
            queue.add(message);
            if (size.getAndIncrement() == 0) {
                pool.execute(this);
            }
        }

        /** Handles one message, so that the actors run in turn, like the tasks of an executor. */
        @Override
        public void run() {
            behavior.accept(queue.remove());
            if (size.decrementAndGet() > 0) {
                pool.execute(this);
            }
        }
    }

    @Override
    public Object actor(Receiver behavior) {
        return new Serial(pool, behavior, new ConcurrentLinkedQueue<>(), new AtomicInteger());
    }

    /** Returns a periodic task of a pool with a thread per core, whose runs do not overlap. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a tick that fails is the last one, and the others are missing
    public Object periodicActor(Duration period, Supplier<Receiver> behavior) {
        Receiver receiver = behavior.get();
        long nanos = period.toNanos();
        return clock.scheduleAtFixedRate(() -> receiver.accept("tick"), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void tell(Object actor, Object message) {
        ((Serial) actor).add(message);
    }

    /** Returns a service with its own pool, because the few threads of this pool must not block. */
    @Override
    public Service service(Resource resource, int room, Service.Client client) {
        return new PoolService(resource, room, client);
    }

    @Override
    public void stop(Object actor) {
        if (actor instanceof Future<?> periodic) {
            periodic.cancel(false);
        } // a serial executor holds nothing
    }

    @Override
    public void close() {
        pool.close();
        clock.shutdownNow();
    }
}
