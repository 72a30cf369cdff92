package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorInterruptedException;
import io.fibry.StopMode;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.Nesting;
import io.fibry.dispatch.ScheduledActor;
import io.fibry.dispatch.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** The wait in {@code close}: first for an orderly stop, then with harder stop modes. */
final class Closing {

    /**
     * The time from discarding messages to interrupting the handlers, and from there to the log line about stuck
     * handlers.
     */
    static final Duration GRACE = CloseGrace.fromProperty();

    /**
     * The steps at the deadline and after it, with {@link #GRACE} between two steps. After the last one, the close
     * gives up.
     */
    static final List<Consumer<Ending>> STEPS =
            List.of(end -> end.stop(StopMode.DISCARD), end -> end.stop(StopMode.INTERRUPT), Ending::reportStuck);

    /** Waits for an end. */
    interface Wait {
        /** Returns whether the end came within the time. */
        boolean await(Duration atMost) throws InterruptedException;
    }

    /** The end of an actor or a system that is being closed. */
    interface Ending extends Wait {

        /** Makes the stop harder. */
        void stop(StopMode mode);

        /** Whether a harder stop has given up, and logged, stages that had not completed. */
        default boolean hasGivenUp() {
            return false;
        }

        /** Logs the stacks of the handlers that have not returned after an interrupt. */
        void reportStuck();
    }

    private Closing() {}

    /**
     * Waits for a requested end: until the deadline, and then after each harder stop. A thread inside an actor stops
     * waiting when it is interrupted, since the actor that it closes may be waiting for it.
     *
     * @return whether the end has come, and no stage that it had to wait for has been given up
     */
    static boolean await(Duration deadline, Ending end, boolean insideActor) {
        try {
            List<Runnable> steps = STEPS.stream()
                    .<Runnable>map(step -> () -> Nesting.withoutTurns(() -> step.accept(end)))
                    .toList();
            return await(end, deadline, steps) && !end.hasGivenUp();
        } catch (InterruptedException e) {
            Nesting.withoutTurns(() -> end.stop(StopMode.INTERRUPT));
            boolean ended = awaitUninterruptibly(end, insideActor ? Duration.ZERO : GRACE);
            Thread.currentThread().interrupt();
            return ended && !end.hasGivenUp();
        }
    }

    /**
     * Waits for an end. Takes the first step after the given time, and each further step after {@link #GRACE}.
     *
     * @return whether the end has come before the last step
     */
    static boolean await(Wait end, Duration first, List<Runnable> steps) throws InterruptedException {
        Duration atMost = first;
        for (Runnable step : steps) {
            if (end.await(atMost)) {
                return true;
            }
            step.run();
            atMost = GRACE;
        }
        return false;
    }

    private static boolean awaitUninterruptibly(Ending end, Duration atMost) {
        boolean ended = false;
        boolean interrupted = true;
        while (interrupted) {
            try {
                ended = end.await(atMost);
                if (!ended && !atMost.isZero()) {
                    end.reportStuck();
                }
                interrupted = false;
            } catch (InterruptedException again) {
                interrupted = true; // the caller restores the interrupt status
            }
        }
        return ended;
    }

    /** Waits for a future that completes normally. */
    static boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
        return await(future, atMost, "an end");
    }

    private static boolean await(CompletableFuture<?> future, Duration atMost, Object what)
            throws InterruptedException {
        try {
            if (!future.isDone()) {
                Worker.beforeWait();
            }
            long nanos = Control.await(future, Durations.nanos(atMost), true, what);
            future.get(nanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IllegalStateException cycle) { // see WaitGraph
                throw new IllegalStateException(cycle.getMessage(), cycle);
            }
            throw new AssertionError("an exit always completes normally", e);
        }
    }

    /** Waits for the end of an actor. The calling thread must not be inside that actor. */
    static boolean awaitExit(Actor<?> actor, CompletableFuture<ActorExit> exit, Duration timeout) {
        Object what = actor instanceof ScheduledActor s ? new Control.Awaited("the end of", s) : "the end of " + actor;
        try {
            return await(exit, timeout, what);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ActorInterruptedException("interrupted while waiting for the end of actor " + actor.name(), e);
        }
    }

    /** Closes a resource bound to the end of an actor. */
    static void close(Actor<?> owner, AutoCloseable resource) {
        try {
            if (resource instanceof Actor<?> actor) {
                actor.stop();
            } else {
                resource.close();
            }
        } catch (Throwable t) {
            KernelLog.failed(owner, "resource to close on exit", t);
        }
    }
}
