package io.fibry.sockets;

import io.fibry.dispatch.LogLimit;
import io.fibry.dispatch.LogText;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;

/**
 * The log lines of a server about requests whose handlers failed, and about failed TLS handshakes: at most one a second
 * for each cause, and a stack trace with every sixtieth failure of a handler. A cause is the class of an exception and
 * the topmost method outside the JDK that has thrown it; for a handshake, the step of the handshake. When one actor is
 * slow, each request that asks it fails for the same cause. Any number of threads may use it.
 */
public final class CauseLog {

    private static final int LINES_PER_STACK = 60;
    private static final int MOST_CAUSES = 100; // further ones share one limit

    /** Begin all stack traces of failed handshakes, whatever the cause. */
    private static final Set<String> REPORTERS =
            Set.of("sun.security.ssl.Alert", "sun.security.ssl.TransportContext", "sun.security.ssl.SSLEngineImpl");

    private static final int LONGEST_CHAIN = 16; // causes; a chain of causes may be cyclic

    private record Cause(Class<?> type, Optional<StackTraceElement> place) {
        static final Cause OTHER = new Cause(Throwable.class, Optional.empty());

        static Cause of(Throwable t) {
            return new Cause(
                    t.getClass(),
                    Stream.of(origin(t).getStackTrace())
                            .filter(frame -> !frame.getClassName().startsWith("java.")
                                    && !REPORTERS.contains(frame.getClassName()))
                            .findFirst());
        }

        /** An engine wraps the exception of a task into one of the same class. */
        private static Throwable origin(Throwable t) {
            Throwable origin = t;
            for (int i = 0; i < LONGEST_CHAIN && origin.getCause() instanceof SSLException cause; i++) {
                origin = cause;
            }
            return origin;
        }
    }

    private record Limit(LogLimit log, AtomicLong lines) {}

    private final Logger log;
    private final ConcurrentHashMap<Cause, Limit> limits = new ConcurrentHashMap<>();

    public CauseLog(Logger log) {
        this.log = log;
    }

    /** Writes a line for a failure of the server or its handlers, or counts it. The line goes on after "Actor ". */
    public void error(String line, Throwable t) {
        Limit limit = limit(t);
        if (!limit.log.tryLog()) {
            return;
        }
        String more = more(limit.log.takeSuppressed());
        if (limit.lines.getAndIncrement() % LINES_PER_STACK == 0) {
            log.error("Actor {}{}", LogText.plain(line), more, LogText.plainTrace(t));
        } else {
            log.error("Actor {}: {}{}", LogText.plain(line), LogText.plain(t), more);
        }
    }

    /** Writes a line without a stack trace, for a failure that the log does not have to explain, or counts it. */
    public void warn(String line, Throwable t) {
        Limit limit = limit(t);
        if (limit.log.tryLog()) {
            log.warn("Actor {}: {}{}", LogText.plain(line), LogText.plain(t), more(limit.log.takeSuppressed()));
        }
    }

    /** The server has ended: writes how many failures were left out since the last line of their cause. */
    public void end(Object server) {
        long unlogged = limits.values().stream()
                .mapToLong(limit -> limit.log.takeSuppressed())
                .sum();
        if (unlogged > 0) {
            log.error("Actor {} has ended; {} more failures were not logged", LogText.plain(server), unlogged);
        }
    }

    private Limit limit(Throwable t) {
        Cause cause = limits.mappingCount() < MOST_CAUSES ? Cause.of(t) : Cause.OTHER;
        Limit known = limits.get(cause);
        if (known != null) {
            return known;
        }
        var added = new Limit(new LogLimit(), new AtomicLong());
        Limit first = limits.putIfAbsent(cause, added);
        return first == null ? added : first;
    }

    private static String more(long unlogged) {
        return unlogged == 0 ? "" : "; " + unlogged + " more failures of this cause were not logged";
    }
}
