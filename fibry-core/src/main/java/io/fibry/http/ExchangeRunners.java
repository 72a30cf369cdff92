package io.fibry.http;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The actors that run a server's exchanges, one at a time each: its children, made when they are needed and used again, since
 * making one costs more than telling it something.
 */
final class ExchangeRunners implements Executor {

    /** How many of them may have nothing to do; on platform threads each of them keeps its thread. */
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
        chosen.execute(() -> {
            try {
                exchange.run();
            } finally {
                release(chosen);
            }
        });
    }

    /** What its actors are called. */
    @Override
    public String toString() {
        return server.name() + ", exchanges";
    }

    /** Called at the end of the runner's work; what it is told from now on comes after that. */
    private void release(Actor<Void> runner) {
        if (spare.incrementAndGet() <= SPARE) {
            free.add(runner);
        } else {
            spare.decrementAndGet();
            runner.stop();
        }
    }
}
