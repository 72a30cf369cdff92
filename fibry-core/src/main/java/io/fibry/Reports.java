package io.fibry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The library's log lines: what nobody else is told. */
final class Reports {

    private static final Logger LOG = LoggerFactory.getLogger(Actor.class);

    private Reports() {}

    /** A behavior threw, and nobody waits for its answer. */
    static void failure(ActorState<?> actor, Throwable t) {
        failure(actor, "failed to handle a message", t);
    }

    /** By the actor's consumer. A line a second at most: an actor that fails at every message would fill the log. */
    static void failure(ActorState<?> actor, String what, Throwable t) {
        guard(actor, "report of a failure", () -> {
            FailureLog log = actor.lifecycle().failureLog();
            if (actor.lifecycleMode() == StopMode.INTERRUPT) {
                LOG.debug("Actor {} was interrupted while it handled a message", actor.name(), t);
            } else if (log.mayTell(System.nanoTime())) {
                LOG.error("Actor {} {}{}", actor.name(), what, untold(log.takeUntold()), t);
            }
            var handler = t instanceof Error ? Thread.getDefaultUncaughtExceptionHandler() : null;
            if (handler != null) {
                handler.uncaughtException(Thread.currentThread(), t);
            }
        });
    }

    private static String untold(long failures) {
        return failures == 0 ? "" : ", and " + failures + " more failures of it were not logged";
    }

    /** The actor ends: what {@link #failure} has not told. */
    static void lastFailures(ActorState<?> actor, long untold) {
        log(() -> LOG.error("Actor {} ends; {} more failures of it were not logged", actor.name(), untold));
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

    static void rejected(ActorState<?> actor, Throwable t) {
        guard(
                actor,
                "report of a rejection",
                () -> LOG.error("Actor {} ends: its executor does not run it", actor.name(), t));
    }

    /** An actor does not end in spite of an interrupt. */
    static void stuck(ActorState<?> actor, String where) {
        guard(
                actor,
                "report of a stuck actor",
                () -> LOG.warn("Actor {} has been interrupted and does not end; {}", actor.name(), where));
    }

    static void stuckWithoutThread() {
        log(() -> LOG.warn(
                "The system does not end, though no thread is at work in an actor: an executor has not run what"
                        + " it was given"));
    }

    /** What {@link #deadLetter} has not told any more, at the end of the system. */
    static void lastDeadLetters(long count) {
        log(() -> LOG.warn("The system is closed; dead letters since the last line about one: {}", count));
    }

    static void spareNotStarted(Throwable t) {
        log(() -> LOG.warn("No further worker could be started; those at work go on", t));
    }

    /** Whoever logs has something else to do, which must not fail because the logger does. */
    private static void log(Runnable line) {
        try {
            line.run();
        } catch (Throwable unlogged) {
            System.err.println("A line of Fibry could not be logged: " + unlogged);
        }
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
