package io.fibry;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/** Borrows an executor's threads for a turn at a time. */
final class PoolDispatcher extends Dispatcher {

    /** What a system has on executors, whichever they are. */
    static final class Work {
        private final AtomicLong readyOrRunning = new AtomicLong();
        private final Set<Runner> running = ConcurrentHashMap.newKeySet();

        boolean isQuiescent() {
            return readyOrRunning.get() == 0;
        }

        void stopRunning(StopMode mode) {
            running.forEach(runner -> runner.stopCurrent(mode));
        }

        boolean isOnCurrentThread() {
            return running.stream().anyMatch(Runner::isCurrentThread);
        }
    }

    private final LocalSystem system;
    private final Executor executor;
    private final Work work;

    PoolDispatcher(LocalSystem system, Executor executor, Work work) {
        this.system = system;
        this.executor = executor;
        this.work = work;
    }

    @Override
    void ready(ActorCell<?> actor) {
        work.readyOrRunning.incrementAndGet();
        submit(actor);
    }

    private void submit(ActorCell<?> actor) {
        try {
            executor.execute(() -> turn(actor));
        } catch (RejectedExecutionException e) {
            // Nobody else will run this actor: end it here, with what it holds as dead letters.
            actor.fail(e);
            actor.runTurn(new Runner(Thread.currentThread()));
            done();
        }
    }

    private void turn(ActorCell<?> actor) {
        var runner = new Runner(Thread.currentThread());
        boolean interrupted = Thread.interrupted(); // the executor's affair, not the actor's
        boolean more = false;
        work.running.add(runner);
        try {
            more = system.runTurn(actor, runner);
        } finally {
            work.running.remove(runner);
            if (!more) {
                done();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (more) {
            submit(actor);
        }
    }

    private void done() {
        work.readyOrRunning.decrementAndGet();
        system.workerGone();
    }
}
