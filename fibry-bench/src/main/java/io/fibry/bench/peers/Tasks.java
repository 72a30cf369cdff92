package io.fibry.bench.peers;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

/**
 * No actors at all: each message is a task of an executor, and messages of one "actor" may overlap. So it is only good for works
 * in which each actor gets a single message; there it tells what the actors cost beside their threads.
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
