package io.fibry;

import io.fibry.dispatch.Durations;
import io.fibry.dispatch.PoolDispatcher;
import io.fibry.dispatch.Runner;
import io.fibry.dispatch.Schedulable;
import io.fibry.dispatch.WorkerScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The orderly part of a system's close. Servers and schedules are stopped first; then the actors work off what they have
 * accepted, and may still tell each other things; when nothing moves any more, or half of the time is over, those that are
 * registered are stopped too.
 */
final class Shutdown {

    private final Set<ActorState<?>> registered;
    private final Set<Runner> platformThreads;
    private final WorkerScheduler scheduler;
    private final PoolDispatcher.Work poolWork;
    private final AtomicBoolean stuckReported = new AtomicBoolean();
    private volatile @Nullable Thread waiter;

    Shutdown(
            Set<ActorState<?>> registered,
            Set<Runner> platformThreads,
            WorkerScheduler scheduler,
            PoolDispatcher.Work poolWork) {
        this.registered = registered;
        this.platformThreads = platformThreads;
        this.scheduler = scheduler;
        this.poolWork = poolWork;
    }

    /** Whether everything has come to its end within the time. By one thread at a time. */
    boolean drain(Duration atMost) throws InterruptedException {
        long end = Durations.deadline(atMost);
        do {
            if (!stop(StopPhase.SERVERS, end) || !stop(StopPhase.SCHEDULES, end)) {
                return false;
            }
            long now = System.nanoTime();
            awaitQuiescence(now + (end - now) / 2);
            if (!stop(StopPhase.ACTORS, end) || !awaitQuiescence(end)) {
                return false;
            }
        } while (!registered.isEmpty());
        return true;
    }

    /** Stops the registered actors of a phase until there are none; their children are stopped by them. */
    private boolean stop(StopPhase phase, long end) throws InterruptedException {
        for (List<ActorState<?>> roots = roots(phase); !roots.isEmpty(); roots = roots(phase)) {
            roots.forEach(ActorState::stop);
            for (ActorState<?> root : roots) {
                if (!Closing.await(root.lifecycle().exit, Duration.ofNanos(end - System.nanoTime()))) {
                    return false;
                }
            }
        }
        return true;
    }

    private List<ActorState<?>> roots(StopPhase phase) {
        return registered.stream()
                .filter(actor -> actor.lifecycle().options.phase() == phase)
                .toList();
    }

    private boolean awaitQuiescence(long end) throws InterruptedException {
        waiter = Thread.currentThread();
        try {
            while (!isQuiescent()) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                LockSupport.parkNanos(this, left);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            return true;
        } finally {
            waiter = null;
        }
    }

    /** Whether there is nothing left to wait for. */
    boolean isDone() {
        return registered.isEmpty() && isQuiescent();
    }

    /** Called whenever something that ran has ended: it may have been the last. */
    void lookAgain() {
        Thread waiting = waiter;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    /**
     * Whether nothing is ready and nothing runs, on whatever strategy. A platform actor may have set a worker going between the
     * two looks at the platform actors, but not without the scheduler's spare flag moving, and likewise for the executors.
     */
    boolean isQuiescent() {
        int before = scheduler.spareStamp();
        long poolBefore = poolWork.stamp();
        return platformActorsIdle()
                && scheduler.isQuiescent()
                && poolWork.isQuiescent()
                && platformActorsIdle()
                && scheduler.isQuiescent()
                && scheduler.spareStamp() == before
                && poolWork.stamp() == poolBefore;
    }

    private boolean platformActorsIdle() {
        for (ActorState<?> actor : registered) {
            Lifecycle l = actor.lifecycle();
            if (l.ownRunner != null && !actor.isIdle() && !l.pause.isPaused()) {
                return false;
            }
        }
        return true;
    }

    /** Says where those stand that keep the system from its end. Once, however many close it. */
    void reportStuck() {
        if (stuckReported.compareAndSet(false, true)) {
            List<ActorCell<?>> atWork = new ArrayList<>();
            Consumer<Schedulable> add = actor -> atWork.add(ActorCell.behind(actor));
            scheduler.forEachRunning(add);
            poolWork.forEachRunning(add);
            platformThreads.forEach(thread -> thread.forEachCurrent(add));
            if (!StuckReport.report(atWork)) {
                Reports.stuckWithoutThread();
            }
        }
    }
}
