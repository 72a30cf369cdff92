package io.fibry.net;

import io.fibry.sockets.Checks;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link TcpAcceptor} listens, and what it allows its clients. Immutable. Timeouts are looked after by one timer; a
 * connection may live an eighth of the time, or a second, longer than the timeout, whichever is less.
 *
 * @param bindAddress the local address to listen on, or null for all
 * @param backlog how many clients the operating system holds until they are accepted; it may hold fewer
 * @param maxConnections how many connections there are at a time; further ones are accepted and reset at once
 * @param maxPerAddress how many of them may come from one address, likewise; {@link Integer#MAX_VALUE} is no limit. A
 *     client with IPv6 usually has many addresses
 * @param idleTimeout how long a read may wait while nothing comes, or a write while the client takes less than 16 KiB, then
 *     the connection is reset; null is no limit. A handler that does neither, because it computes, is left alone
 * @param readTimeout how long a read may wait, then it throws {@link java.net.SocketTimeoutException} and the handler may go
 *     on; null is no limit
 * @param tls what to encrypt the connections with, or null for plain ones; only TLS 1.2 and 1.3 are spoken
 * @param handshakeTimeout how long a client may take from its accept to the end of the TLS handshake, then it is reset
 * @param reuseAddress whether a port may be listened on while former connections of it time out ({@code SO_REUSEADDR})
 * @param noDelay whether small writes are sent at once ({@code TCP_NODELAY})
 */
public record TcpOptions(
        @Nullable InetAddress bindAddress,
        int backlog,
        int maxConnections,
        int maxPerAddress,
        @Nullable Duration idleTimeout,
        @Nullable Duration readTimeout,
        @Nullable SSLContext tls,
        Duration handshakeTimeout,
        boolean reuseAddress,
        boolean noDelay) {

    private static final TcpOptions DEFAULTS = builder().build();

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a number or a timeout is not positive
     */
    public TcpOptions {
        Checks.checkPositive("backlog", backlog);
        Checks.checkPositive("maxConnections", maxConnections);
        Checks.checkPositive("maxPerAddress", maxPerAddress);
        Checks.checkPositive("idleTimeout", idleTimeout);
        Checks.checkPositive("readTimeout", readTimeout);
        Checks.checkPositive("handshakeTimeout", Objects.requireNonNull(handshakeTimeout, "handshakeTimeout"));
    }

    /**
     * Plain connections on all local addresses, a backlog of 1024, at most 10,000 connections and any number of them from one
     * address, no timeouts, the address reused, small writes sent at once.
     */
    public static TcpOptions defaults() {
        return DEFAULTS;
    }

    /** A builder that starts with the {@linkplain #defaults() defaults}, and 10 seconds for a TLS handshake. */
    public static Builder builder() {
        return new Builder();
    }

    /** Makes options; see {@link TcpOptions} for what they mean. Not for use by several threads at once. */
    public static final class Builder {

        private @Nullable InetAddress bindAddress;
        private int backlog = 1024;
        private int maxConnections = 10_000;
        private int maxPerAddress = Integer.MAX_VALUE;
        private @Nullable Duration idleTimeout;
        private @Nullable Duration readTimeout;
        private @Nullable SSLContext tls;
        private Duration handshakeTimeout = Duration.ofSeconds(10);
        private boolean reuseAddress = true;
        private boolean noDelay = true;

        private Builder() {}

        /** The local address to listen on, or null for all. */
        public Builder bindAddress(@Nullable InetAddress address) {
            bindAddress = address;
            return this;
        }

        /** How many clients the operating system holds until they are accepted. */
        public Builder backlog(int clients) {
            backlog = clients;
            return this;
        }

        /** How many connections there are at a time. */
        public Builder maxConnections(int connections) {
            maxConnections = connections;
            return this;
        }

        /** How many connections there are at a time from one address. */
        public Builder maxPerAddress(int connections) {
            maxPerAddress = connections;
            return this;
        }

        /** How long a read may wait while nothing comes, or a write while less than 16 KiB go, or null for ever. */
        public Builder idleTimeout(@Nullable Duration timeout) {
            idleTimeout = timeout;
            return this;
        }

        /** How long a read may wait until it throws, or null for ever. */
        public Builder readTimeout(@Nullable Duration timeout) {
            readTimeout = timeout;
            return this;
        }

        /** What to encrypt the connections with, or null for plain ones. */
        public Builder tls(@Nullable SSLContext context) {
            tls = context;
            return this;
        }

        /** How long a client may take for its TLS handshake. */
        public Builder handshakeTimeout(Duration timeout) {
            handshakeTimeout = timeout;
            return this;
        }

        /** Whether a port may be listened on while former connections of it time out. */
        public Builder reuseAddress(boolean reuse) {
            reuseAddress = reuse;
            return this;
        }

        /** Whether small writes are sent at once. */
        public Builder noDelay(boolean atOnce) {
            noDelay = atOnce;
            return this;
        }

        /**
         * The options.
         *
         * @throws IllegalArgumentException if a number or a timeout is not positive
         */
        public TcpOptions build() {
            return new TcpOptions(
                    bindAddress,
                    backlog,
                    maxConnections,
                    maxPerAddress,
                    idleTimeout,
                    readTimeout,
                    tls,
                    handshakeTimeout,
                    reuseAddress,
                    noDelay);
        }
    }
}
