package io.fibry.http;

import io.fibry.sockets.Checks;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How an {@link HttpServerActor} listens, and its limits. Immutable. {@code docs/servers.md} says for each limit what happens
 * beyond it, and which of them all servers of a JVM share.
 *
 * @param bindAddress the local address to listen on, or null for all
 * @param backlog how many clients the operating system holds while they wait to be accepted; it may hold fewer
 * @param maxConnections how many connections are open at a time; beyond, new ones are closed at once. The JDK's server has
 *     this limit once for a JVM: the first server's
 * @param maxRequests how many requests are being handled at a time; beyond, requests get the status 503
 * @param maxHeaderBytes how long the request line and the headers are, with 32 bytes added for each of them; beyond, the
 *     connection is closed, or the request gets the status 431
 * @param maxHeaders how many header lines a request has; beyond, likewise
 * @param maxBodyBytes how long the body of a request is; beyond, the request gets the status 413
 * @param requestTimeout how long a client may take to send a request; beyond, its connection is closed
 * @param writeTimeout how long a client may take less than 16 KiB of a response, or less than its rest; beyond, its connection is closed
 * @param idleTimeout how long a connection is kept between two requests
 * @param tls what makes it an HTTPS server, or null for plain HTTP; only TLS 1.2 and 1.3 are spoken
 */
public record HttpOptions(
        @Nullable InetAddress bindAddress,
        int backlog,
        int maxConnections,
        int maxRequests,
        int maxHeaderBytes,
        int maxHeaders,
        long maxBodyBytes,
        Duration requestTimeout,
        Duration writeTimeout,
        Duration idleTimeout,
        @Nullable SSLContext tls) {

    /** A connection that has sent a byte has some buffers, in all about this many bytes, and some room for its request. */
    private static final int HEAP_PER_CONNECTION = 64 * 1024;

    /** One with TLS has the buffers and the state of its handshake beside. */
    private static final int HEAP_PER_TLS_CONNECTION = 256 * 1024;

    private static final HttpOptions DEFAULTS = new Builder().build();

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one of the numbers or durations is not positive
     */
    public HttpOptions {
        Checks.checkPositive("backlog", backlog);
        Checks.checkPositive("maxConnections", maxConnections);
        Checks.checkPositive("maxRequests", maxRequests);
        Checks.checkPositive("maxHeaderBytes", maxHeaderBytes);
        Checks.checkPositive("maxHeaders", maxHeaders);
        if (maxBodyBytes < 0) {
            throw new IllegalArgumentException("maxBodyBytes has to be at least 0, and this one is " + maxBodyBytes);
        }
        Checks.checkPositive("requestTimeout", Objects.requireNonNull(requestTimeout, "requestTimeout"));
        Checks.checkPositive("writeTimeout", Objects.requireNonNull(writeTimeout, "writeTimeout"));
        Checks.checkPositive("idleTimeout", Objects.requireNonNull(idleTimeout, "idleTimeout"));
    }

    /**
     * All local addresses, a backlog of 1,024; 10,000 connections, or one for each 64 KiB of the maximum heap if those are
     * fewer, and with TLS one for each 256 KiB; as many requests; 32 KiB of headers in 100 lines, 1 MiB of body; 30 seconds to send a request, 30 without
     * progress of the response, 30 between two requests; no TLS.
     */
    public static HttpOptions defaults() {
        return DEFAULTS;
    }

    /** A builder that starts with the {@linkplain #defaults() defaults}. */
    public static Builder builder() {
        return new Builder();
    }

    private static int connectionsForTheHeap(boolean tls) {
        int each = tls ? HEAP_PER_TLS_CONNECTION : HEAP_PER_CONNECTION;
        return Math.clamp(Runtime.getRuntime().maxMemory() / each, 1, 10_000);
    }

    /** Makes options. Not for use by several threads at once. */
    public static final class Builder {

        private @Nullable InetAddress bindAddress;
        private int backlog = 1024;
        private @Nullable Integer maxConnections;
        private @Nullable Integer maxRequests;
        private int maxHeaderBytes = 32 * 1024;
        private int maxHeaders = 100;
        private long maxBodyBytes = 1024 * 1024;
        private Duration requestTimeout = Duration.ofSeconds(30);
        private Duration writeTimeout = Duration.ofSeconds(30);
        private Duration idleTimeout = Duration.ofSeconds(30);
        private @Nullable SSLContext tls;

        private Builder() {}

        /** The local address to listen on, or null for all. */
        public Builder bindAddress(@Nullable InetAddress address) {
            bindAddress = address;
            return this;
        }

        /** How many clients the operating system holds while they wait to be accepted. */
        public Builder backlog(int clients) {
            backlog = clients;
            return this;
        }

        /** How many connections are open at a time. */
        public Builder maxConnections(int connections) {
            maxConnections = connections;
            return this;
        }

        /** How many requests are being handled at a time. */
        public Builder maxRequests(int requests) {
            maxRequests = requests;
            return this;
        }

        /** How long the request line and the headers are. */
        public Builder maxHeaderBytes(int bytes) {
            maxHeaderBytes = bytes;
            return this;
        }

        /** How many header lines a request has. */
        public Builder maxHeaders(int lines) {
            maxHeaders = lines;
            return this;
        }

        /** How long the body of a request is. */
        public Builder maxBodyBytes(long bytes) {
            maxBodyBytes = bytes;
            return this;
        }

        /** How long a client may take to send a request. */
        public Builder requestTimeout(Duration timeout) {
            requestTimeout = timeout;
            return this;
        }

        /** How long a client may take for each 16 KiB of a response. */
        public Builder writeTimeout(Duration timeout) {
            writeTimeout = timeout;
            return this;
        }

        /** How long a connection is kept between two requests. */
        public Builder idleTimeout(Duration timeout) {
            idleTimeout = timeout;
            return this;
        }

        /** What makes it an HTTPS server, or null for plain HTTP. */
        public Builder tls(@Nullable SSLContext context) {
            tls = context;
            return this;
        }

        /**
         * The options.
         *
         * @throws IllegalArgumentException if one of the numbers or durations is not positive
         */
        public HttpOptions build() {
            int forTheHeap = connectionsForTheHeap(tls != null);
            return new HttpOptions(
                    bindAddress,
                    backlog,
                    maxConnections != null ? maxConnections : forTheHeap,
                    maxRequests != null ? maxRequests : forTheHeap,
                    maxHeaderBytes,
                    maxHeaders,
                    maxBodyBytes,
                    requestTimeout,
                    writeTimeout,
                    idleTimeout,
                    tls);
        }
    }
}
