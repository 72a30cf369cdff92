package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.DeadLetter;
import io.fibry.ThrowingRunnable;
import io.fibry.dispatch.LogLimit;
import io.fibry.dispatch.LogText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log lines of the library, for events that are not reported to a caller. */
final class KernelLog {

    private static final Logger LOG = LoggerFactory.getLogger(Actor.class);

    private static final LogLimit SPARES = new LogLimit();

    private KernelLog() {}

    /** Initializes this class and the logger. Later, when there is an event to report, memory may be exhausted. */
    static void prepare() {
        LOG.isErrorEnabled();
    }

    /** Logs a failure of an actor that has been interrupted by a stop. May throw. */
    static void interrupted(Actor<?> actor, Throwable t) {
        LOG.debug("Actor {} was interrupted while it handled a message", name(actor), LogText.plainTrace(t));
    }

    /** Logs a failure of an actor, and the number of its failures that have not been logged. May throw. */
    static void failure(Actor<?> actor, String what, LogLimit limit, Throwable t) {
        LOG.error("Actor {} {}{}", name(actor), what, suppressed(limit.takeSuppressed()), LogText.plainTrace(t));
    }

    private static String suppressed(long failures) {
        return failures == 0 ? "" : ", and " + failures + " more failures of this actor were not logged";
    }

    /** Called when the actor ends: logs the number of failures that have not been logged. */
    static void lastFailures(Actor<?> actor, long suppressed) {
        log(() -> LOG.error("Actor {} ends; {} more failures of this actor were not logged", name(actor), suppressed));
    }

    /** Never logs the message itself, which may be confidential. */
    static void deadLetter(Actor<?> actor, Class<?> type, DeadLetter.Reason reason, long count) {
        LOG.warn(
                "Dead letter: actor {} did not handle a {} ({}); dead letters since the last such line: {}",
                name(actor),
                type.getName(),
                reason,
                count);
    }

    static void tooManyRestarts(Actor<?> supervisor, Throwable last) {
        guard(
                supervisor,
                "report of too many restarts",
                () -> LOG.error(
                        "Supervisor {} ends: too many restarts; the last failure was",
                        name(supervisor),
                        LogText.plainTrace(last)));
    }

    static void rejected(Actor<?> actor, Throwable t) {
        guard(
                actor,
                "report of a rejection",
                () -> LOG.error("Actor {} ends: its executor rejected its work", name(actor), LogText.plainTrace(t)));
    }

    /** Logs that an actor has not ended although it was interrupted. */
    static void stuck(Actor<?> actor, String where) {
        guard(
                actor,
                "report of a stuck actor",
                () -> LOG.warn("Actor {} was interrupted but does not end; {}", name(actor), where));
    }

    static void openStages(Actor<?> actor, int count) {
        guard(
                actor,
                "report of open stages",
                () -> LOG.warn(
                        "Actor {} ends although {} of the stages given to pipeToSelf have not completed; their results"
                                + " will be discarded. Give each stage a timeout",
                        name(actor),
                        count));
    }

    /** Logs a cycle of waiting actors in which at least one wait has a timeout. */
    static void cycle(String waits, long suppressed) {
        log(() -> LOG.warn(
                "A cycle of waiting actors, which only a timeout breaks: {}; cycles since the last such line: {}",
                LogText.plain(waits),
                suppressed + 1));
    }

    static void stuckWithoutThread() {
        log(() -> LOG.warn("The system does not end, but no handler is running: an executor has not run the work that"
                + " it accepted"));
    }

    /** Logs an exception of a context carrier. */
    static void context(String what, Throwable t) {
        log(() -> LOG.error("The context of a message could not be {}", what, LogText.plainTrace(t)));
    }

    /** Called when the system is closed: logs the number of dead letters that {@link #deadLetter} has not logged. */
    static void lastDeadLetters(long count) {
        log(() -> LOG.warn("The system is closed; dead letters since the last line about one: {}", count));
    }

    /**
     * Logs at most one line a second: the start of a worker is retried after a millisecond. Throws nothing, even if
     * memory is exhausted; a lambda would be allocated outside the {@code try}.
     */
    static void spareNotStarted(Throwable t) {
        try {
            if (SPARES.tryLog()) {
                LOG.warn("Could not start another worker; the existing workers continue", t);
            }
        } catch (Throwable unlogged) {
            failedToReport("log line about a worker", unlogged);
        }
    }

    static void measurement(Throwable t) {
        log(() -> LOG.error("A listener of measured messages failed", LogText.plainTrace(t)));
    }

    private static String name(Actor<?> actor) {
        return LogText.plain(actor.name());
    }

    /** Writes a line. A failure of the logger must not affect the caller. */
    private static void log(Runnable line) {
        try {
            line.run();
        } catch (Throwable unlogged) {
            failedToReport("log line", unlogged);
        }
    }

    /** As for an actor, with the name of a system. */
    static void guard(String system, String what, ThrowingRunnable code) {
        try {
            code.run();
        } catch (Throwable t) {
            log(() -> LOG.warn("System {}: the {} failed", LogText.plain(system), what, LogText.plainTrace(t)));
        }
    }

    /** Runs code whose failure must not stop the library: hooks of the user, and the logger itself. Throws nothing. */
    static void guard(Actor<?> actor, String what, ThrowingRunnable code) {
        try {
            code.run();
        } catch (Throwable t) {
            failed(actor, what, t);
        }
    }

    /** Logs that guarded code has failed. Throws nothing. */
    static void failed(Actor<?> actor, String what, Throwable t) {
        try {
            LOG.error("Actor {}: the {} failed", name(actor), what, LogText.plainTrace(t));
        } catch (Throwable unlogged) {
            failedToReport(what, unlogged);
        }
    }

    /** Reports on the error stream that a log line could not be written. Throws nothing. */
    static void failedToReport(String what, Throwable unlogged) {
        try {
            System.err.println("Fibry: the " + what + " failed, and so did logging that: " + unlogged);
        } catch (Throwable nothingLeft) {
            return; // memory is exhausted, or the error stream is broken: there is no way to report it
        }
    }
}
