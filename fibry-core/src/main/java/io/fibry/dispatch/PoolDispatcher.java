package io.fibry.dispatch;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs actors on the threads of an executor, which they hold for a turn. */
public final class PoolDispatcher extends Dispatcher {

    /** The work of a system on all its executors. */
    public static final class Work {
        private final AtomicLong begun = new AtomicLong();
        private final AtomicLong ended = new AtomicLong();
        private final Set<ActorThread> running;

        private Work(Set<ActorThread> running) {
            this.running = running;
        }

        /** The work of a system; under a control, running actors are enumerated in the order in which they began. */
        public static Work under(@Nullable Control control) {
            return new Work(control == null ? ConcurrentHashMap.newKeySet() : new CopyOnWriteArraySet<>());
        }

        public boolean isQuiescent() {
            return ended.get() == begun.get(); // reads ended first: every ended turn had begun
        }

        void begin() {
            begun.incrementAndGet();
        }

        void end() {
            ended.incrementAndGet();
        }

        void enter(ActorThread runner) {
            running.add(runner);
        }

        void leave(ActorThread runner) {
            running.remove(runner);
        }

        /** A stamp that changes whenever an actor becomes ready. */
        public long stamp() {
            return begun.get();
        }

        /** Passes the runners to the action. */
        public void forEachRunner(Consumer<? super ActorThread> action) {
            running.forEach(action);
        }

        /** Passes the running actors to the action. */
        public void forEachRunning(Consumer<? super ScheduledActor> action) {
            running.forEach(runner -> runner.forEachCurrent(action));
        }

        /**
         * Passes the actors running on the calling thread to the action. Searches all runners, since the threads belong
         * to the executor.
         */
        public void forEachCurrent(Consumer<? super ScheduledActor> action) {
            forEachRunnerOfCurrentThread(runner -> runner.forEachCurrent(action));
        }

        private void forEachRunnerOfCurrentThread(Consumer<? super ActorThread> action) {
            for (ActorThread runner : running) {
                if (runner.isCurrentThread()) {
                    action.accept(runner);
                }
            }
        }
    }

    /**
     * A submission. If an executor runs it before {@code execute} returns, the submitter runs the turn instead, so that
     * turns do not nest.
     */
    private final class Turn implements Runnable {
        private final ScheduledActor actor;
        private @Nullable Thread submitter = Thread.currentThread();
        private boolean inline;

        private final ThreadStart start = new ThreadStart();

        /** Whether the turn has been run, or was replaced by another submission. */
        private final AtomicBoolean used = new AtomicBoolean();

        Turn(ScheduledActor actor) {
            this.actor = actor;
        }

        /**
         * Submits this turn. Returns true if the executor called {@link #run} on the submitting thread, which then has
         * to run the turn.
         */
        boolean submit() {
            boolean accepted = false;
            try {
                executor.execute(this);
                accepted = true;
            } finally {
                start.end(accepted);
            }
            submitter = null;
            return inline && use();
        }

        boolean use() {
            return used.compareAndSet(false, true);
        }

        /** Only virtual threads run although their start has failed. */
        private boolean hasStarted() {
            if (executorWaits || !Thread.currentThread().isVirtual()) {
                return true;
            }
            ThreadStart.Outcome outcome = start.await(MAX_WAIT_MILLIS);
            executorWaits = outcome == ThreadStart.Outcome.PENDING;
            return outcome != ThreadStart.Outcome.FAILURE;
        }

        @Override
        public void run() {
            if (Thread.currentThread() == submitter) {
                inline = true;
            } else if (hasStarted() && use() && runTurn(actor)) {
                submitTurns(actor);
            }
        }
    }

    /**
     * The work of all systems with executors, for searches by an executor's thread. Weak, so that systems can be
     * collected.
     */
    private static volatile List<WeakReference<Work>> all = List.of();

    private static final ReentrantLock ADDING = new ReentrantLock();

    /** The maximum number of submissions of a turn while memory is exhausted: for about a second. */
    private static final int ATTEMPTS = 1_000;

    private static final long MAX_WAIT_MILLIS = 1_000;

    private static final Function<PoolDispatcher, ActorThread> NEW_RUNNER = PoolDispatcher::newRunner;
    private static final BiConsumer<PoolDispatcher, ActorThread> ENDED = PoolDispatcher::ended;

    private final DispatchListener listener;
    private final Executor executor;

    /** Whether the executor seems to wait for the end of its tasks, so that they must not wait for it. */
    private volatile boolean executorWaits;

    private final Work work;

    public PoolDispatcher(DispatchListener listener, Executor executor, Work work) {
        this.listener = listener;
        this.executor = executor;
        this.work = work;
        add(work);
    }

    private static void add(Work added) {
        StackRoom.require(); // the lock must not remain held
        ADDING.lock();
        try {
            if (all.stream().noneMatch(w -> w.refersTo(added))) {
                all = Stream.concat(all.stream().filter(w -> !w.refersTo(null)), Stream.of(new WeakReference<>(added)))
                        .toList();
            }
        } finally {
            ADDING.unlock();
        }
    }

    /** Whether any system of this JVM has used an executor. */
    public static boolean isUsed() {
        return !all.isEmpty();
    }

    /**
     * Passes the runners of the calling thread to the action, which cannot be found in another way on an executor's
     * thread.
     */
    public static void forEachRunnerOfCurrentThread(Consumer<? super ActorThread> action) {
        for (WeakReference<Work> each : all) {
            Work work = each.get();
            if (work != null) {
                work.forEachRunnerOfCurrentThread(action);
            }
        }
    }

    /** The actor that the calling thread runs for an executor; null if there is none. */
    static @Nullable ScheduledActor actorOfCurrentThread() {
        @Nullable ScheduledActor[] found = new ScheduledActor[1];
        forEachRunnerOfCurrentThread(runner -> found[0] = runner.currentActor());
        return found[0];
    }

    @Override
    public void ready(ScheduledActor actor) {
        work.begin();
        listener.active();
        submitTurns(actor);
    }

    @Override
    public boolean mayRunOnCaller() {
        return true; // some executors do
    }

    private void submitTurns(ScheduledActor actor) {
        try {
            while (submit(actor)) {
                if (!runTurnInPlace(actor)) {
                    return;
                }
            }
        } catch (Throwable t) {
            reject(actor, t);
        }
    }

    /**
     * Runs a turn on the thread that made the actor ready. If turns nest too deeply there, or the thread must not run
     * turns, another thread submits it again.
     */
    private boolean runTurnInPlace(ScheduledActor actor) {
        boolean[] more = new boolean[1];
        Nesting.runTurn(() -> more[0] = runTurn(actor), () -> submitTurns(actor));
        return more[0];
    }

    /**
     * Submits a turn. Returns true if the caller has to run it. Retries for a while if memory runs out. The executor
     * may have accepted a submission and failed afterwards, so each submission is withdrawn before the next.
     */
    private boolean submit(ScheduledActor actor) {
        for (int attempt = 1; ; attempt++) {
            Turn turn = null;
            try {
                turn = new Turn(actor);
                return turn.submit();
            } catch (OutOfMemoryError e) {
                if (turn != null && !turn.use()) {
                    return false; // it has been run, or is being run
                }
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                OutOfMemory.pause();
            }
        }
    }

    /** Ends an actor that the executor has rejected; its messages become dead letters. */
    private void reject(ScheduledActor actor, Throwable t) {
        listener.rejected(actor, t);
        runTurn(actor);
    }

    private boolean runTurn(ScheduledActor actor) {
        boolean interrupted = Thread.interrupted(); // belongs to the executor, not to the actor
        Map<String, String> logContext = LogContext.take(); // likewise
        ActorThread runner = OutOfMemory.get(NEW_RUNNER, this);
        boolean more = true;
        while (true) {
            try {
                more = actor.runTurn(runner, null);
                break;
            } catch (Throwable t) { // an error of the kernel itself; this thread still holds the consumer's role
                OutOfMemory.pause();
            }
        }
        OutOfMemory.repeat(ENDED, this, runner);
        if (!more) {
            done();
        }
        LogContext.putBack(logContext);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return more;
    }

    private ActorThread newRunner() {
        var runner = new ActorThread(Thread.currentThread());
        work.enter(runner);
        return runner;
    }

    private void ended(ActorThread runner) {
        listener.runnerGone(runner);
        work.leave(runner);
    }

    private void done() {
        work.end();
        listener.turnsEnded();
    }
}
