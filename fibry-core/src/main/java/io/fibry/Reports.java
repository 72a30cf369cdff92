package io.fibry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The library's log lines: what nobody else is told. */
final class Reports {

    private static final Logger LOG = LoggerFactory.getLogger(Actor.class);

    private Reports() {}

    /** A behavior threw, and nobody waits for its answer. */
    static void failure(StoppableActor<?> actor, Throwable t) {
        guard(actor, "report of a failure", () -> {
            if (actor.lifecycleMode() == StopMode.INTERRUPT) {
                LOG.debug("Actor {} was interrupted while it handled a message", actor.name(), t);
            } else {
                LOG.error("Actor {} failed to handle a message", actor.name(), t);
            }
            var handler = t instanceof Error ? Thread.getDefaultUncaughtExceptionHandler() : null;
            if (handler != null) {
                handler.uncaughtException(Thread.currentThread(), t);
            }
        });
    }

    static void deadLetters(StoppableActor<?> actor, int count) {
        if (count > 0) {
            guard(
                    actor,
                    "report of dead letters",
                    () -> LOG.warn(
                            "Actor {} was stopped and left {} accepted messages unhandled", actor.name(), count));
        }
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
    static void guard(StoppableActor<?> actor, String what, ThrowingRunnable code) {
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
