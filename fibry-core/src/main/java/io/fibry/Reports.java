package io.fibry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The library's log lines: what nobody else is told. */
final class Reports {

    private static final Logger LOG = LoggerFactory.getLogger(Actor.class);

    private Reports() {}

    /** A behavior threw, and nobody waits for its answer. */
    static void failure(StoppableActor<?> actor, Throwable t) {
        failure(actor, "failed to handle a message", t);
    }

    static void failure(StoppableActor<?> actor, String what, Throwable t) {
        guard(actor, "report of a failure", () -> {
            if (actor.lifecycleMode() == StopMode.INTERRUPT) {
                LOG.debug("Actor {} was interrupted while it handled a message", actor.name(), t);
            } else {
                LOG.error("Actor {} {}", actor.name(), what, t);
            }
            var handler = t instanceof Error ? Thread.getDefaultUncaughtExceptionHandler() : null;
            if (handler != null) {
                handler.uncaughtException(Thread.currentThread(), t);
            }
        });
    }

    /** Never with the message itself, which may be nobody's business. */
    static void deadLetter(Actor<?> actor, Class<?> type, DeadLetter.Reason reason, long count) {
        guard(
                actor,
                "report of a dead letter",
                () -> LOG.warn(
                        "Actor {} left a {} unhandled ({}); dead letters since the last such line: {}",
                        actor.name(),
                        type.getName(),
                        reason,
                        count));
    }

    static void tooManyRestarts(Actor<?> supervisor, Throwable last) {
        guard(
                supervisor,
                "report of too many restarts",
                () -> LOG.error(
                        "Supervisor {} ends: too many restarts; the last failure was", supervisor.name(), last));
    }

    static void rejected(StoppableActor<?> actor, Throwable t) {
        guard(
                actor,
                "report of a rejection",
                () -> LOG.error("Actor {} ends: its executor does not run it", actor.name(), t));
    }

    static void spareNotStarted(Throwable t) {
        LOG.warn("No further worker could be started; those at work go on", t);
    }

    /** Runs what must not keep the library from going on: hooks of the user, and the logger itself. */
    static void guard(Actor<?> actor, String what, ThrowingRunnable code) {
        try {
            code.run();
        } catch (Throwable t) {
            try {
                LOG.error("Actor {}: the {} failed", actor.name(), what, t);
            } catch (Throwable unlogged) {
                System.err.println(
                        "Actor " + actor.name() + ": the " + what + " failed: " + t + "; so did the log: " + unlogged);
            }
        }
    }
}
