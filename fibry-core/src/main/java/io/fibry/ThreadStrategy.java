package io.fibry;

import io.fibry.kernel.Strategies;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/**
 * The source of the threads that run actors. With every strategy, the handlers of one actor never overlap, and each
 * handler <i>happens-before</i> the next one.
 */
public sealed interface ThreadStrategy permits Strategies.Virtual, Strategies.Platform, Strategies.Pool {

    /**
     * Returns the default strategy: virtual threads, each held only while its actor has messages. An idle actor holds
     * no thread, and a handler may block without stalling other actors. Not suitable for handlers that compute for long
     * without blocking, because virtual threads are not preempted.
     */
    static ThreadStrategy virtual() {
        return Strategies.VIRTUAL;
    }

    /**
     * Returns a strategy with a platform thread for each actor, from its creation to its end: for CPU-bound work, and
     * for libraries that require one thread. The threads are daemons and have the actors' names.
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
     * Returns a strategy with the threads of an executor, each held for a batch of messages: for handlers that never
     * block, for tests, and for runtimes with their own threads. If the executor rejects the work of an actor, that
     * actor fails. The executor determines the order of the actors: with {@code Thread::startVirtualThread} and one
     * carrier thread, an actor that always has messages can starve the others.
     */
    static ThreadStrategy pool(Executor executor) {
        return new Strategies.Pool(Objects.requireNonNull(executor, "executor"));
    }
}
