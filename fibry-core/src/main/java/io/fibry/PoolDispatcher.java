package io.fibry;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Borrows an executor's threads for a turn at a time. */
final class PoolDispatcher extends Dispatcher {

    /** What a system has on executors, whichever they are. */
    static final class Work {
        private final AtomicLong begun = new AtomicLong();
        private final AtomicLong ended = new AtomicLong();
        private final Set<Runner> running = ConcurrentHashMap.newKeySet();

        boolean isQuiescent() {
            return ended.get() == begun.get(); // in this order: what ended had begun
        }

        /** Moves whenever an actor gets ready. */
        long stamp() {
            return begun.get();
        }

        long handled() {
            return running.stream().mapToLong(Runner::handled).sum();
        }

        void addRunning(List<ActorCell<?>> actors) {
            running.forEach(runner -> runner.addCurrent(actors));
        }

        void stopRunning(StopMode mode) {
            running.forEach(runner -> runner.stopCurrent(mode));
        }

        /** Adds the actors that the calling thread is at work in. The threads are not ours, so they have to be searched. */
        void addCurrent(List<ActorCell<?>> actors) {
            for (Runner runner : running) {
                if (runner.isCurrentThread()) {
                    runner.addCurrent(actors);
                }
            }
        }
    }

    /** One submission. An executor that runs it before {@code execute} returns would nest each turn in the one before. */
    private final class Turn implements Runnable {
        private final ActorCell<?> actor;
        private @Nullable Thread submitter = Thread.currentThread();
        private boolean inline;

        Turn(ActorCell<?> actor) {
            this.actor = actor;
        }

        /** Submits itself; true if the submitter has to run the turn because the executor left it to that thread. */
        boolean submit() {
            executor.execute(this);
            submitter = null;
            return inline;
        }

        @Override
        public void run() {
            if (Thread.currentThread() == submitter) {
                inline = true;
            } else if (runTurn(actor)) {
                submitTurns(actor);
            }
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
        work.begun.incrementAndGet();
        submitTurns(actor);
    }

    @Override
    boolean mayRunOnCaller() {
        return true; // some executors do
    }

    private void submitTurns(ActorCell<?> actor) {
        boolean more;
        do {
            try {
                more = new Turn(actor).submit() && runTurn(actor);
            } catch (Throwable t) {
                reject(actor, t);
                return;
            }
        } while (more);
    }

    /** The executor does not run this actor, and nobody else will: ends it here, with what it holds as dead letters. */
    private void reject(ActorCell<?> actor, Throwable t) {
        Reports.rejected(actor, t);
        actor.fail(t);
        runTurn(actor);
    }

    private boolean runTurn(ActorCell<?> actor) {
        var runner = new Runner(Thread.currentThread());
        boolean interrupted = Thread.interrupted(); // the executor's affair, not the actor's
        boolean more = false;
        work.running.add(runner);
        try {
            more = actor.runTurn(runner, null);
        } finally {
            system.gone(runner);
            work.running.remove(runner);
            if (!more) {
                done();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return more;
    }

    private void done() {
        work.ended.incrementAndGet();
        system.workerGone();
    }
}
