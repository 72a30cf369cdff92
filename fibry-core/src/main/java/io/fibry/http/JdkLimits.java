package io.fibry.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limits that the JDK's server reads once, from system properties, when the first one of a JVM is made. What the user has
 * set is left as it is. They hold also before a request gets to a handler, where the servers' own options cannot reach.
 */
final class JdkLimits {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServerActor.class);
    private static final String JDK = "sun.net.httpserver.";

    /** How much of a request that nobody wants is read all the same; a refused one for a second at most. */
    private static final long DRAINED = 16 << 20;

    /** Whatever the value is: the user has taken the matter into his own hands. */
    private static final long OF_THE_USER = Long.MAX_VALUE;

    private static final Map<String, Long> SET = new ConcurrentHashMap<>();

    private JdkLimits() {}

    /** To be called before a server is made. */
    static void set(HttpOptions options) {
        sharedLimit("jdk.httpserver.maxConnections", options.maxConnections());
        limit(JDK + "maxReqHeaderSize", options.maxHeaderBytes());
        limit(JDK + "maxReqHeaders", options.maxHeaders());
        sharedLimit(JDK + "maxReqTime", wholeSeconds(options.requestTimeout()));
        sharedLimit(JDK + "idleInterval", wholeSeconds(options.idleTimeout()));
        setIfAbsent(
                JDK + "maxIdleConnections",
                options.maxConnections()); // or those beyond 200 are closed after each reply
        // A client that is still sending when its connection is closed is reset, and may lose its response.
        setIfAbsent(JDK + "drainAmount", Math.max(options.maxBodyBytes(), DRAINED));
        if (System.getProperty(JDK + "nodelay") == null) {
            System.setProperty(
                    JDK + "nodelay", "true"); // or the second packet of a response waits for the first one's receipt
        }
    }

    private static long wholeSeconds(Duration duration) {
        return duration.plusNanos(999_999_999).toSeconds();
    }

    /** One that each server has besides, so that it may be stricter. */
    private static void limit(String property, long value) {
        long valid = setIfAbsent(property, value);
        if (valid < value) {
            warn(property, valid, value);
        }
    }

    /** One that only the JVM has. */
    private static void sharedLimit(String property, long value) {
        long valid = setIfAbsent(property, value);
        if (valid != value && valid != OF_THE_USER) {
            warn(property, valid, value);
        }
    }

    private static void warn(String property, long valid, long value) {
        LOG.warn(
                "The limit {} is {} in this JVM, as its first HTTP server had it, and not {}; set the system property"
                        + " to have another",
                property,
                valid,
                value);
    }

    /** What we have set it to, or {@link #OF_THE_USER}. */
    private static long setIfAbsent(String property, long value) {
        return SET.computeIfAbsent(property, name -> {
            if (System.getProperty(name) == null) {
                System.setProperty(name, Long.toString(value));
                return value;
            }
            return OF_THE_USER;
        });
    }
}
