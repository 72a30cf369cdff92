package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.DeadLetter;
import io.fibry.ThrowingRunnable;
import io.fibry.dispatch.LogLimit;
import io.fibry.dispatch.LogText;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log lines of the library, for events that are not reported to a caller. Unless it says otherwise, a method throws
 * nothing. No line is a lambda: the JVM does not retry a linkage that ran out of memory.
 */
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
        try {
            LOG.error("Actor {} ends; {} more failures of this actor were not logged", name(actor), suppressed);
        } catch (Throwable unlogged) {
            failedToReport("log line", unlogged);
        }
    }

    /** Never logs the message itself, which may be confidential. May throw. */
    static void deadLetter(Actor<?> actor, Class<?> type, DeadLetter.Reason reason, long count) {
        LOG.warn(
                "Dead letter: actor {} did not handle a {} ({}); dead letters since the last such line: {}",
                name(actor),
                type.getName(),
                reason,
                count);
    }

    static void tooManyRestarts(Actor<?> supervisor, Throwable last) {
        try {
            LOG.error(
                    "Supervisor {} ends: too many restarts; the last failure was",
                    name(supervisor),
                    LogText.plainTrace(last));
        } catch (Throwable unlogged) {
            failedToReport("report of too many restarts", unlogged);
        }
    }

    static void rejected(Actor<?> actor, Throwable t) {
        try {
            LOG.error("Actor {} ends: its executor rejected its work", name(actor), LogText.plainTrace(t));
        } catch (Throwable unlogged) {
            failedToReport("report of a rejection", unlogged);
        }
    }

    /** Logs that an actor has not ended although it was interrupted. */
    static void stuck(Actor<?> actor, String where) {
        try {
            LOG.warn("Actor {} was interrupted but does not end; {}", name(actor), where);
        } catch (Throwable unlogged) {
            failedToReport("report of a stuck actor", unlogged);
        }
    }

    static void openStages(Actor<?> actor, int count) {
        try {
            LOG.warn(
                    "Actor {} ends although {} of the stages given to pipeToSelf have not completed; their results"
                            + " will be discarded. Give each stage a timeout",
                    name(actor),
                    count);
        } catch (Throwable unlogged) {
            failedToReport("report of open stages", unlogged);
        }
    }

    /** Logs a cycle of waiting actors in which at least one wait has a timeout. */
    static void cycle(String waits, long suppressed) {
        try {
            LOG.warn(
                    "A cycle of waiting actors, which only a timeout breaks: {}; cycles since the last such line: {}",
                    LogText.plain(waits),
                    suppressed + 1);
        } catch (Throwable unlogged) {
            failedToReport("log line", unlogged);
        }
    }

    static void stuckWithoutThread() {
        try {
            LOG.warn("The system does not end, but no handler is running: an executor has not run the work that"
                    + " it accepted");
        } catch (Throwable unlogged) {
            failedToReport("log line", unlogged);
        }
    }

    /** Logs an exception of a context carrier. */
    static void context(String what, Throwable t) {
        try {
            LOG.error("The context of a message could not be {}", what, LogText.plainTrace(t));
        } catch (Throwable unlogged) {
            failedToReport("log line", unlogged);
        }
    }

    /** Called when the system is closed: logs the number of dead letters that {@link #deadLetter} has not logged. */
    static void lastDeadLetters(long count) {
        try {
            LOG.warn("The system is closed; dead letters since the last line about one: {}", count);
        } catch (Throwable unlogged) {
            failedToReport("log line", unlogged);
        }
    }

    /** Logs at most one line a second: the start of a worker is retried after a millisecond. */
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
        try {
            LOG.error("A listener of measured messages failed", LogText.plainTrace(t));
        } catch (Throwable unlogged) {
            failedToReport("log line", unlogged);
        }
    }

    private static String name(Actor<?> actor) {
        return LogText.plain(actor.name());
    }

    /** As for an actor, with the name of a system. */
    static void guard(String system, String what, ThrowingRunnable code) {
        try {
            code.run();
        } catch (Throwable t) {
            try {
                LOG.warn("System {}: the {} failed", LogText.plain(system), what, LogText.plainTrace(t));
            } catch (Throwable unlogged) {
                failedToReport("log line", unlogged);
            }
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

    /** As {@link #guard(Actor, String, ThrowingRunnable)}, for a hook with an argument. */
    static <T> void guard(Actor<?> actor, String what, Consumer<? super T> hook, T argument) {
        try {
            hook.accept(argument);
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
