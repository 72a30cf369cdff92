package io.fibry.dispatch;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Borrows an executor's threads for a turn at a time. */
public final class PoolDispatcher extends Dispatcher {

    /** What a system has on executors, whichever they are. */
    public static final class Work {
        private final AtomicLong begun = new AtomicLong();
        private final AtomicLong ended = new AtomicLong();
        private final Set<Runner> running = ConcurrentHashMap.newKeySet();

        public boolean isQuiescent() {
            return ended.get() == begun.get(); // in this order: what ended had begun
        }

        /** Moves whenever an actor gets ready. */
        public long stamp() {
            return begun.get();
        }

        public long handled() {
            return running.stream().mapToLong(Runner::handled).sum();
        }

        /** Shows the actors at work. */
        public void forEachRunning(Consumer<? super Schedulable> action) {
            running.forEach(runner -> runner.forEachCurrent(action));
        }

        /** Shows the actors that the calling thread is at work in. The threads are not ours, so they have to be searched. */
        public void forEachCurrent(Consumer<? super Schedulable> action) {
            for (Runner runner : running) {
                if (runner.isCurrentThread()) {
                    runner.forEachCurrent(action);
                }
            }
        }
    }

    /** One submission. An executor that runs it before {@code execute} returns would nest each turn in the one before. */
    private final class Turn implements Runnable {
        private final Schedulable actor;
        private @Nullable Thread submitter = Thread.currentThread();
        private boolean inline;

        Turn(Schedulable actor) {
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

    private final DispatchListener listener;
    private final Executor executor;
    private final Work work;

    public PoolDispatcher(DispatchListener listener, Executor executor, Work work) {
        this.listener = listener;
        this.executor = executor;
        this.work = work;
    }

    @Override
    public void ready(Schedulable actor) {
        work.begun.incrementAndGet();
        listener.atWork();
        submitTurns(actor);
    }

    @Override
    public boolean mayRunOnCaller() {
        return true; // some executors do
    }

    private void submitTurns(Schedulable actor) {
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
    private void reject(Schedulable actor, Throwable t) {
        listener.rejected(actor, t);
        runTurn(actor);
    }

    private boolean runTurn(Schedulable actor) {
        var runner = new Runner(Thread.currentThread());
        boolean interrupted = Thread.interrupted(); // the executor's affair, not the actor's
        boolean more = false;
        work.running.add(runner);
        try {
            more = actor.runTurn(runner, null);
        } finally {
            listener.runnerGone(runner);
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
        listener.turnsEnded();
    }
}
