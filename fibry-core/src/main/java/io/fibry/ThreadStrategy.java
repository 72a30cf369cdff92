package io.fibry;

import io.fibry.kernel.Strategies;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/**
 * The source of the threads that run actors. With every strategy, the handlers of one actor never overlap, and each
 * handler sees the writes of the previous one.
 */
public sealed interface ThreadStrategy permits Strategies.Virtual, Strategies.Platform, Strategies.Pool {

    /**
     * Virtual threads, held only while there are messages: the default. An idle actor holds no thread, and a handler
     * may block without stalling other actors. Not for handlers that compute for long without blocking: virtual threads
     * are not preempted.
     */
    static ThreadStrategy virtual() {
        return Strategies.VIRTUAL;
    }

    /**
     * A platform thread for each actor, from its creation to its end: for CPU-bound work, and for libraries that
     * require one thread. The threads are daemons and have the actors' names.
     */
    static ThreadStrategy platform() {
        return Strategies.PLATFORM;
    }

    /**
     * As {@link #platform()}, with a function that configures each thread.
     *
     * @param configuration called once per actor, for instance {@code thread -> thread.daemon(false)}
     */
    static ThreadStrategy platform(UnaryOperator<Thread.Builder.OfPlatform> configuration) {
        return new Strategies.Platform(Objects.requireNonNull(configuration, "configuration"));
    }

    /**
     * Threads of an executor, held for a batch of messages: for handlers that never block, for tests, and for runtimes
     * with threads of their own. If the executor rejects an actor's work, that actor fails.
     */
    static ThreadStrategy pool(Executor executor) {
        return new Strategies.Pool(Objects.requireNonNull(executor, "executor"));
    }
}
