package io.fibry.http;

import io.fibry.sockets.Descriptors;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limits that the JDK's HTTP server reads from system properties, once, when the first server of a JVM is created.
 * Properties that the user has set are not changed. These limits also apply before a request reaches a handler, where
 * Fibry's own checks cannot.
 */
final class JdkLimits {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServerActor.class);
    private static final String JDK = "sun.net.httpserver.";
    private static final String CONNECTIONS = "jdk.httpserver.maxConnections";

    /**
     * The server reads and discards at least this much of an unread request body; after a refusal, for a second at
     * most.
     */
    private static final long DRAINED = 16 << 20;

    /** Marks a property that the user has set, whatever its value is. */
    private static final long OF_THE_USER = Long.MAX_VALUE;

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Map<String, Long> SET = new HashMap<>(); // guarded by the lock

    private JdkLimits() {}

    /** Sets the properties that are not set yet. Call it before a server is created. */
    static void set(HttpOptions options) {
        sharedLimit(CONNECTIONS, connections(options.maxConnections()));
        limit(JDK + "maxReqHeaderSize", options.maxHeaderBytes());
        limit(JDK + "maxReqHeaders", options.maxHeaders());
        sharedLimit(JDK + "maxReqTime", wholeSeconds(options.requestTimeout()));
        sharedLimit(JDK + "idleInterval", wholeSeconds(options.idleTimeout()));
        setIfAbsent(
                JDK + "maxIdleConnections",
                options.maxConnections()); // by default, connections beyond 200 are closed after each reply
        // If the connection is closed while the client still sends, it is reset, and the client may lose the response.
        setIfAbsent(JDK + "drainAmount", Math.max(options.maxBodyBytes(), DRAINED));
        turnOn(JDK + "nodelay"); // else the second packet of a response waits for the ACK of the first
        if (options.tls() != null) {
            turnOn("jdk.tls.rejectClientInitiatedRenegotiation"); // it costs the server more than the client
        }
    }

    /**
     * Limits the number to the connections for which there are descriptors. Without descriptors, the JDK's dispatcher
     * may read no connection: a failed accept ends its pass over the ready sockets, and each pass has the same order.
     * The dispatcher would not notice that clients have disconnected, and would free no descriptor.
     */
    private static int connections(int wanted) {
        int possible = Descriptors.connections(1, wanted);
        if (possible < wanted && System.getProperty(CONNECTIONS) == null) {
            LOG.warn(
                    "maxConnections is {}, but the file descriptors of this process suffice for {} connections only;"
                            + " raise the limit of open files (ulimit -n)",
                    wanted,
                    possible);
        }
        return possible;
    }

    private static void turnOn(String property) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, "true");
        }
    }

    /** Rounds up. Returns an {@code int} at most, since the JDK converts it to milliseconds, and for Keep-Alive. */
    static long wholeSeconds(Duration duration) {
        Duration longest = Duration.ofSeconds(Integer.MAX_VALUE);
        return duration.compareTo(longest) > 0
                ? Integer.MAX_VALUE
                : duration.plusNanos(999_999_999).toSeconds();
    }

    /** A limit that Fibry also checks for each server, so a later server may be stricter. */
    private static void limit(String property, long value) {
        long valid = setIfAbsent(property, value);
        if (valid < value) {
            warn(property, valid, value);
        }
    }

    /** A limit that exists only once in a JVM. */
    private static void sharedLimit(String property, long value) {
        long valid = setIfAbsent(property, value);
        if (valid != value && valid != OF_THE_USER) {
            warn(property, valid, value);
        }
    }

    private static void warn(String property, long valid, long value) {
        LOG.warn(
                "The limit {} is {} in this JVM, set by its first HTTP server, and not {}; to change it, set the system"
                        + " property at the start of the JVM",
                property,
                valid,
                value);
    }

    /** The value that Fibry has set in this JVM, or {@link #OF_THE_USER}. */
    private static long setIfAbsent(String property, long value) {
        LOCK.lock();
        try {
            Long before = SET.get(property);
            if (before != null) {
                return before;
            }
            boolean free = System.getProperty(property) == null;
            if (free) {
                System.setProperty(property, Long.toString(value));
            }
            long valid = free ? value : OF_THE_USER;
            SET.put(property, valid);
            return valid;
        } finally {
            LOCK.unlock();
        }
    }
}
