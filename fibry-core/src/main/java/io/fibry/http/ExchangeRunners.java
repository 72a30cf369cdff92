package io.fibry.http;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The actors that run a server's exchanges. They are children of the server, and each runs one exchange at a time. They
 * are created on demand and pooled, because creating an actor costs more than sending it a message.
 */
final class ExchangeRunners implements Executor {

    /** The limit of idle actors in the pool. On platform threads, each of them keeps its thread. */
    private static final int SPARE = 256;

    private final ActorSystem system;
    private final ThreadStrategy strategy;
    private final Actor<Void> server;
    private final ConcurrentLinkedQueue<Actor<Void>> free = new ConcurrentLinkedQueue<>();
    private final AtomicInteger spare = new AtomicInteger();

    ExchangeRunners(ActorSystem system, ThreadStrategy strategy, Actor<Void> server) {
        this.system = system;
        this.strategy = strategy;
        this.server = server;
    }

    @Override
    public void execute(Runnable exchange) {
        Actor<Void> runner = free.poll();
        if (runner == null) {
            runner = system.actor()
                    .strategy(strategy)
                    .childOf(server)
                    .label(this)
                    .newActor(ignored -> {});
        } else {
            spare.decrementAndGet();
        }
        Actor<Void> chosen = runner;
        boolean accepted = false;
        try {
            chosen.execute(() -> {
                try {
                    exchange.run();
                } finally {
                    release(chosen);
                }
            });
            accepted = true;
        } finally {
            if (!accepted) {
                chosen.stop(); // no memory for the message: it is in no pool, and would stay until the server ends
            }
        }
    }

    /** The label of the actors. */
    @Override
    public String toString() {
        return server.name() + ", exchanges";
    }

    /**
     * Returns a runner to the pool. It calls this as its last step, so the next exchange sent to it runs after the
     * present one.
     */
    private void release(Actor<Void> runner) {
        boolean pooled = false;
        try {
            if (spare.incrementAndGet() <= SPARE) {
                free.add(runner); // may run out of memory
                pooled = true;
            }
        } finally {
            if (!pooled) {
                spare.decrementAndGet();
                runner.stop();
            }
        }
    }
}
