package io.fibry.dispatch;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs actors on the threads of an executor, which they borrow for a turn. */
public final class PoolDispatcher extends Dispatcher {

    /** The work of a system on all its executors. */
    public static final class Work {
        private final AtomicLong begun = new AtomicLong();
        private final AtomicLong ended = new AtomicLong();
        private final Set<Runner> running = ConcurrentHashMap.newKeySet();

        public boolean isQuiescent() {
            return ended.get() == begun.get(); // reads ended first: every ended turn had begun
        }

        /** A stamp that changes whenever an actor becomes ready. */
        public long stamp() {
            return begun.get();
        }

        public long handled() {
            return running.stream().mapToLong(Runner::handled).sum();
        }

        /** Passes the actors at work to the action. */
        public void forEachRunning(Consumer<? super Schedulable> action) {
            running.forEach(runner -> runner.forEachCurrent(action));
        }

        /**
         * Passes the actors at work on the calling thread to the action. The threads are not ours, so this searches all runners.
         */
        public void forEachCurrent(Consumer<? super Schedulable> action) {
            for (Runner runner : running) {
                if (runner.isCurrentThread()) {
                    runner.forEachCurrent(action);
                }
            }
        }
    }

    /**
     * One submission. If an executor runs it before {@code execute} returns, the submitter runs the turn instead, so turns do not
     * nest.
     */
    private final class Turn implements Runnable {
        private final Schedulable actor;
        private @Nullable Thread submitter = Thread.currentThread();
        private boolean inline;

        Turn(Schedulable actor) {
            this.actor = actor;
        }

        /**
         * Submits itself. Returns true if the executor called {@link #run} on the submitting thread, which then has to run the
         * turn.
         */
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
        try {
            while (new Turn(actor).submit()) {
                if (!runTurnInPlace(actor)) {
                    return;
                }
            }
        } catch (Throwable t) {
            reject(actor, t);
        }
    }

    /** Runs a turn on the thread that made the actor ready. If turns nest too deep there, another thread submits it again. */
    private boolean runTurnInPlace(Schedulable actor) {
        boolean[] more = new boolean[1];
        Nesting.run(() -> more[0] = runTurn(actor), () -> submitTurns(actor));
        return more[0];
    }

    /** The executor rejected this actor. Ends it here; its messages become dead letters. */
    private void reject(Schedulable actor, Throwable t) {
        listener.rejected(actor, t);
        runTurn(actor);
    }

    private boolean runTurn(Schedulable actor) {
        var runner = new Runner(Thread.currentThread());
        boolean interrupted = Thread.interrupted(); // belongs to the executor, not to the actor
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
