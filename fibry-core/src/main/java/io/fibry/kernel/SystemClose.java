package io.fibry.kernel;

import io.fibry.StopMode;
import io.fibry.StopPhase;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.Nesting;
import io.fibry.dispatch.PoolDispatcher;
import io.fibry.dispatch.ScheduledActor;
import io.fibry.dispatch.Time;
import io.fibry.dispatch.WorkerScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The orderly part of a system's close. Servers are stopped first, for at most half of the time, then schedules. Then
 * the actors handle the messages that they have accepted, including messages of one-shot timers and of stages, and may
 * still send messages to each other. When the system is quiescent, or half of the remaining time is over, the
 * registered actors are stopped too.
 *
 * <p>The closing thread runs no turn, not even of an actor whose executor runs tasks on the calling thread: a handler
 * that blocks would keep it from its deadline, and may wait for an actor that only the close ends.
 */
final class SystemClose {

    /** A constant, so that it is linked at initialization: the JVM does not retry a linkage that ran out of memory. */
    private static final Predicate<ActorThread> BUSY_ON_PLATFORM = SystemClose::isBusyOnPlatform;

    /** The times between two looks for newly registered actors, in nanoseconds. */
    private static final long FIRST_LOOK = 1_000_000;

    private static final long LONGEST_LOOK = 1_000_000_000;

    private final ActorRegistry registered;
    private final Set<ActorThread> platformThreads;
    private final WorkerScheduler scheduler;
    private final PoolDispatcher.Work poolWork;
    private final AtomicBoolean stuckReported = new AtomicBoolean();
    private final AtomicBoolean stagesGivenUp = new AtomicBoolean();
    private final List<Thread> waiters = new CopyOnWriteArrayList<>();
    /** Whether {@link #stopAll} has interrupted the handlers. */
    private volatile boolean interrupted;

    SystemClose(
            ActorRegistry registered,
            Set<ActorThread> platformThreads,
            WorkerScheduler scheduler,
            PoolDispatcher.Work poolWork) {
        this.registered = registered;
        this.platformThreads = platformThreads;
        this.scheduler = scheduler;
        this.poolWork = poolWork;
    }

    /** Stops all actors in order. Returns whether all have ended in time. Called by one thread at a time. */
    boolean drain(Duration atMost) throws InterruptedException {
        long end = Durations.deadline(atMost);
        Nesting.withoutTurns(() -> DrainDeadline.set(registered, end));
        do {
            if (!stopServers(end) || !stop(StopPhase.SCHEDULES, end)) {
                return false;
            }
            long now = Time.nanos();
            await(this::isSettled, now + (end - now) / 2);
            if (!stop(StopPhase.ACTORS, end) || !awaitQuiescence(end)) {
                return false;
            }
        } while (!registered.isEmpty());
        return true;
    }

    /**
     * Stops the servers. They have half of the time, then a harder stop follows: a client that keeps its connection
     * busy must not use up the time in which the actors handle their accepted messages. A server does not wait for a
     * timer that is due after its half, because the harder stop would drop the message.
     */
    private boolean stopServers(long end) throws InterruptedException {
        long now = Time.nanos();
        long half = now + (end - now) / 2;
        Nesting.withoutTurns(() -> roots(StopPhase.SERVERS).forEach(root -> DrainDeadline.set(root, half)));
        if (stop(StopPhase.SERVERS, half)) {
            return true;
        }
        stopHarder(StopPhase.SERVERS, StopMode.DISCARD);
        long grace = Closing.GRACE.toNanos();
        now = Time.nanos();
        if (stop(StopPhase.SERVERS, now + Math.min(grace, end - now))) {
            return true;
        }
        stopHarder(StopPhase.SERVERS, StopMode.INTERRUPT);
        return stop(StopPhase.SERVERS, end);
    }

    private void stopHarder(StopPhase phase, StopMode mode) {
        Nesting.withoutTurns(() -> roots(phase).forEach(root -> root.stopOnce(mode)));
    }

    /** Stops the registered actors of a phase until none is left. They stop their children. */
    private boolean stop(StopPhase phase, long end) throws InterruptedException {
        for (List<ActorState<?>> roots = roots(phase); !roots.isEmpty(); roots = roots(phase)) {
            List<ActorState<?>> all = roots;
            Nesting.withoutTurns(() -> all.forEach(ActorState::stop));
            for (ActorState<?> root : roots) {
                if (!root.hasEnded()
                        && !await(time -> Closing.await(root.lifecycle().exit(), time), phase, end)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Waits, and stops the actors of the phase that are registered meanwhile: a handler or a hook that delays the end
     * may wait for one of them. Looks for them less and less often, since a look visits all registered actors.
     */
    private boolean await(Closing.Wait wait, StopPhase phase, long end) throws InterruptedException {
        for (long look = FIRST_LOOK; ; look = Math.min(2 * look, LONGEST_LOOK)) {
            long left = Math.max(0, end - Time.nanos());
            if (wait.await(Duration.ofNanos(Math.min(left, look)))) {
                return true;
            }
            if (left <= look) {
                return false;
            }
            Nesting.withoutTurns(() -> registered
                    .roots(actor -> actor.lifecycle().options.phase() == phase
                            && actor.lifecycle().mode() == null)
                    .forEach(ActorState::stop));
        }
    }

    private List<ActorState<?>> roots(StopPhase phase) {
        return registered.roots(actor -> actor.lifecycle().options.phase() == phase);
    }

    /**
     * Whether no actor is ready or running, and no timer or stage is pending. No actor will then send a message to
     * another.
     */
    private boolean isSettled() {
        PendingWork pending = registered.pendingWork();
        long begun = pending.begun();
        return pending.isNone() && isQuiescent() && pending.begun() == begun;
    }

    private boolean awaitQuiescence(long end) throws InterruptedException {
        return await(time -> await(this::isQuiescent, Durations.deadline(time)), StopPhase.ACTORS, end);
    }

    /**
     * Returns the end of the system, for a close.
     *
     * @param discardAll makes every actor that is ready discard its messages
     */
    Closing.Ending ending(Closing.Wait wait, Runnable discardAll) {
        return new SystemEnding(wait, discardAll);
    }

    private final class SystemEnding implements Closing.Ending {
        private final Closing.Wait wait;
        private final Runnable discardAll;

        /**
         * Whether to interrupt again. False if only a concurrent close interrupts the handlers first: one interrupt
         * suffices.
         */
        private final boolean again = interrupted;

        /** Another close has given up stages, and returns false. */
        private final boolean givenUpBefore = stagesGivenUp.get();

        SystemEnding(Closing.Wait wait, Runnable discardAll) {
            this.wait = wait;
            this.discardAll = discardAll;
        }

        @Override
        public boolean await(Duration atMost) throws InterruptedException {
            return wait.await(atMost);
        }

        @Override
        public boolean hasGivenUp() {
            return stagesGivenUp.get() && !givenUpBefore;
        }

        @Override
        public void stop(StopMode mode) {
            giveUpStages();
            discardAll.run();
            stopAll(mode, again);
        }

        @Override
        public void reportStuck() {
            SystemClose.this.reportStuck();
        }
    }

    /** Logs the stages that actors wait for. Logs only once, even if several threads close the system. */
    private void giveUpStages() {
        if (!registered.pendingWork().isNone() && !stagesGivenUp.get()) {
            List<ActorState<?>> actors = registered.roots().stream()
                    .flatMap(root -> root.family().stream())
                    .toList();
            if (StuckReport.reportStages(actors)) {
                stagesGivenUp.set(true);
            }
        }
    }

    /**
     * Stops actors that were registered after the last look of {@link #drain}. Called when the system is closed. A
     * start registers its actor before it reads that state, so it sees the state, or its actor is stopped here.
     */
    void stopOvertaken() {
        Nesting.withoutTurns(() -> registered.roots().forEach(root -> root.stopOnce(StopMode.DISCARD)));
    }

    /** Waits until {@link #isDone}. Any number of threads may wait. */
    boolean awaitDone(long end) throws InterruptedException {
        return await(this::isDone, end);
    }

    private boolean await(BooleanSupplier condition, long end) throws InterruptedException {
        waiters.add(Thread.currentThread());
        try {
            while (!condition.getAsBoolean()) {
                long left = end - Time.nanos();
                if (left <= 0) {
                    return false;
                }
                Control control = Control.ofCurrentThread();
                if (control != null) {
                    control.await(condition, left, true, "the end of all turns");
                } else {
                    LockSupport.parkNanos(this, left);
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            return true;
        } finally {
            waiters.remove(Thread.currentThread());
        }
    }

    /** Whether no actor is registered, ready or running. */
    boolean isDone() {
        return registered.isEmpty() && isQuiescent();
    }

    /**
     * Called whenever a turn or a worker has ended, which may have been the last one. Costs one read while no thread
     * waits.
     */
    void lookAgain() {
        waiters.forEach(LockSupport::unpark);
    }

    /**
     * Whether no actor is ready or running, on any strategy, and no handler is suspended. Between the two checks of the
     * platform actors, one of them may have made an actor ready on another strategy and become idle, and a suspended
     * handler may have been completed in a turn. In these cases the scheduler's spare stamp or the executors' stamp has
     * changed.
     */
    boolean isQuiescent() {
        int before = scheduler.spareStamp();
        long poolBefore = poolWork.stamp();
        return platformActorsIdle()
                && scheduler.isQuiescent()
                && poolWork.isQuiescent()
                && registered.suspended().isNone()
                && platformActorsIdle()
                && scheduler.isQuiescent()
                && scheduler.spareStamp() == before
                && poolWork.stamp() == poolBefore;
    }

    /**
     * Whether all platform actors are idle. The set includes the runners of children, which are not in the registry.
     */
    private boolean platformActorsIdle() {
        return platformThreads.stream().noneMatch(BUSY_ON_PLATFORM);
    }

    private static boolean isBusyOnPlatform(ActorThread runner) {
        ScheduledActor owner = runner.owner();
        if (owner == null) {
            return false;
        }
        ActorCell<?> actor = ActorCell.behind(owner);
        Pause pause = actor.lifecycle().pauseIfAny();
        return !actor.isIdle()
                && !actor.hasEnded()
                && (pause == null || !pause.isPaused())
                && !waitsForPredecessor(actor);
    }

    /** Its consumer's role is taken, but no thread exercises it before the end of the predecessor. */
    private static boolean waitsForPredecessor(ActorCell<?> actor) {
        RareState rareState = actor.lifecycle().rareStateIfAny();
        WaitGraph.Edge wait = rareState == null ? null : rareState.predecessor;
        return wait != null && !wait.target().hasEnded();
    }

    /**
     * Logs the stacks of the handlers that prevent the end of the system. Logs only once, even if several threads close
     * it.
     */
    private void reportStuck() {
        List<ActorState<?>> stuck = new ArrayList<>(runningActors());
        registered.roots().stream()
                .flatMap(root -> root.family().stream())
                .filter(actor -> actor.suspended() != null)
                .forEach(stuck::add);
        if (stuckReported.compareAndSet(false, true) && !StuckReport.report(stuck)) {
            KernelLog.stuckWithoutThread();
        }
    }

    /**
     * Stops all actors that are registered or running.
     *
     * @param again whether to interrupt handlers that have been interrupted before
     */
    private void stopAll(StopMode mode, boolean again) {
        List<ActorCell<?>> before = again && mode == StopMode.INTERRUPT ? interruptedActors() : List.of();
        registered.roots().forEach(root -> root.stopOnce(mode));
        scheduler.forEachRunning(actor -> ActorCell.behind(actor).stopOnce(mode));
        poolWork.forEachRunning(actor -> ActorCell.behind(actor).stopOnce(mode));
        before.forEach(Stopping::interruptAgain);
        if (mode == StopMode.INTERRUPT) {
            interrupted = true;
        }
    }

    private List<ActorCell<?>> interruptedActors() {
        return runningActors().stream()
                .filter(actor -> actor.lifecycleMode() == StopMode.INTERRUPT)
                .toList();
    }

    /** The running actors. */
    private List<ActorCell<?>> runningActors() {
        List<ActorCell<?>> running = new ArrayList<>();
        Consumer<ScheduledActor> add = actor -> running.add(ActorCell.behind(actor));
        scheduler.forEachRunning(add);
        poolWork.forEachRunning(add);
        platformThreads.forEach(thread -> thread.forEachCurrent(add));
        return running;
    }
}
