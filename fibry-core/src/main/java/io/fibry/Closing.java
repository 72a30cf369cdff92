package io.fibry;

import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The waiting part of {@code close}: an orderly stop that gets harder. */
final class Closing {

    /** From the discarding of messages to the interrupt of the handlers still at work, and from there to a line in the log. */
    static final Duration GRACE = CloseGrace.fromProperty();

    /** A wait for an end. */
    interface Wait {
        /** Whether the end came within the time. */
        boolean await(Duration atMost) throws InterruptedException;
    }

    /** What is closed: an actor or a system, which has been asked to end. */
    interface Ending extends Wait {

        /** Makes the stop harder. */
        void stop(StopMode mode);

        /** Says where that stands which goes on in spite of an interrupt. */
        void reportStuck();
    }

    private Closing() {}

    /**
     * Waits for an end that has been asked for: until the deadline, then harder, and after the last step no more. An actor that is
     * interrupted does not go on waiting: the other one may be waiting for it.
     *
     * @return whether the end has come
     */
    static boolean await(Duration deadline, Ending end, boolean insideActor) {
        try {
            if (end.await(deadline)) {
                return true;
            }
            end.stop(StopMode.DISCARD);
            if (end.await(GRACE)) {
                return true;
            }
            end.stop(StopMode.INTERRUPT);
            return endsOrIsReported(end, GRACE);
        } catch (InterruptedException e) {
            end.stop(StopMode.INTERRUPT);
            boolean ended = awaitUninterruptibly(end, insideActor ? Duration.ZERO : GRACE);
            Thread.currentThread().interrupt();
            return ended;
        }
    }

    private static boolean endsOrIsReported(Ending end, Duration atMost) throws InterruptedException {
        boolean ended = end.await(atMost);
        if (!ended) {
            end.reportStuck(); // there is nothing else to be done about it
        }
        return ended;
    }

    private static boolean awaitUninterruptibly(Ending end, Duration atMost) {
        boolean ended = false;
        boolean interrupted = true;
        while (interrupted) {
            try {
                ended = atMost.isZero() ? end.await(atMost) : endsOrIsReported(end, atMost);
                interrupted = false;
            } catch (InterruptedException again) {
                interrupted = true; // known, and the caller sets it again
            }
        }
        return ended;
    }

    /** Waits for a future that completes normally. */
    static boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
        try {
            future.get(Durations.nanos(atMost), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new AssertionError("an exit always completes normally", e);
        }
    }

    /** Waits for the end of an actor by which the calling thread is not at work. */
    static boolean awaitExit(Actor<?> actor, CompletableFuture<ActorExit> exit, Duration timeout) {
        try {
            return await(exit, timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ActorInterruptedException("interrupted while waiting for the end of actor " + actor.name(), e);
        }
    }

    /** Closes what was tied to the end of an actor. */
    static void close(Actor<?> owner, AutoCloseable resource) {
        Reports.guard(owner, "resource to close on exit", () -> {
            if (resource instanceof Actor<?> actor) {
                actor.stop();
            } else {
                resource.close();
            }
        });
    }
}
