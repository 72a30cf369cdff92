package io.fibry.bench.peers;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

/**
 * No actors: each message is a task of an executor, and messages of one "actor" may overlap. It is therefore suitable
 * only for benchmarks in which each actor gets a single message, where it shows the overhead of actors over their
 * threads.
 */
record Tasks(Executor executor) implements Peer {

    @Override
    public Object actor(Receiver behavior) {
        return behavior;
    }

    @Override
    @SuppressWarnings("unchecked")
    public void tell(Object actor, Object message) {
        executor.execute(() -> ((Receiver) actor).accept(message));
    }

    @Override
    public void stop(Object actor) {
        // it holds nothing
    }

    @Override
    public void close() {
        if (executor instanceof ExecutorService pool) {
            pool.close();
        }
    }
}
