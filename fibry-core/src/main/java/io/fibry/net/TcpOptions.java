package io.fibry.net;

import io.fibry.sockets.Checks;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link TcpAcceptor} listens, and what it allows its clients. Immutable: each method with a parameter makes new options,
 * and the one of the same name without a parameter tells the value.
 *
 * <p>One timer checks all timeouts. A connection may live an eighth of the timeout longer, but at most a second.
 */
public final class TcpOptions {

    private static final TcpOptions DEFAULTS = new TcpOptions(new Values());

    /** Changed only before the options that hold it are made. */
    private final Values values;

    private TcpOptions(Values values) {
        this.values = values;
    }

    /**
     * Plain connections on all local addresses, a backlog of 1024, at most 10,000 connections and any number of them from one
     * address, no timeouts but 10 seconds for a TLS handshake, the address reused, small writes sent at once.
     */
    public static TcpOptions defaults() {
        return DEFAULTS;
    }

    private TcpOptions with(Consumer<Values> change) {
        var copy = new Values(values);
        change.accept(copy);
        return new TcpOptions(copy);
    }

    /** The local address to listen on, or null for all. */
    public TcpOptions bindAddress(@Nullable InetAddress address) {
        return with(v -> v.bindAddress = address);
    }

    /**
     * How many clients the operating system holds until they are accepted; it may hold fewer.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public TcpOptions backlog(int clients) {
        Checks.checkPositive("backlog", clients);
        return with(v -> v.backlog = clients);
    }

    /**
     * How many connections there are at a time; further ones are accepted and reset at once.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public TcpOptions maxConnections(int connections) {
        Checks.checkPositive("maxConnections", connections);
        return with(v -> v.maxConnections = connections);
    }

    /**
     * How many connections there are at a time from one address; further ones are accepted and reset at once.
     * {@link Integer#MAX_VALUE} is no limit. A client with IPv6 usually has many addresses.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public TcpOptions maxPerAddress(int connections) {
        Checks.checkPositive("maxPerAddress", connections);
        return with(v -> v.maxPerAddress = connections);
    }

    /**
     * How long a read may wait while nothing comes, or a write while the client takes less than 16 KiB, before the connection
     * is reset; null is no limit. A handler that does neither, because it computes, is left alone.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public TcpOptions idleTimeout(@Nullable Duration timeout) {
        Checks.checkPositive("idleTimeout", timeout);
        return with(v -> v.idleTimeout = timeout);
    }

    /**
     * How long a read may wait before it throws {@link java.net.SocketTimeoutException} and the handler may go on; null is no
     * limit.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public TcpOptions readTimeout(@Nullable Duration timeout) {
        Checks.checkPositive("readTimeout", timeout);
        return with(v -> v.readTimeout = timeout);
    }

    /** What to encrypt the connections with, or null for plain ones; only TLS 1.2 and 1.3 are spoken. */
    public TcpOptions tls(@Nullable SSLContext context) {
        return with(v -> v.tls = context);
    }

    /**
     * How long a client may take from its accept to the end of the TLS handshake; then the connection is reset.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public TcpOptions handshakeTimeout(Duration timeout) {
        Checks.checkPositive("handshakeTimeout", Objects.requireNonNull(timeout, "timeout"));
        return with(v -> v.handshakeTimeout = timeout);
    }

    /** Whether a port may be listened on while former connections of it time out ({@code SO_REUSEADDR}). */
    public TcpOptions reuseAddress(boolean reuse) {
        return with(v -> v.reuseAddress = reuse);
    }

    /** Whether small writes are sent at once ({@code TCP_NODELAY}). */
    public TcpOptions noDelay(boolean atOnce) {
        return with(v -> v.noDelay = atOnce);
    }

    // ---- the values

    public @Nullable InetAddress bindAddress() {
        return values.bindAddress;
    }

    public int backlog() {
        return values.backlog;
    }

    public int maxConnections() {
        return values.maxConnections;
    }

    public int maxPerAddress() {
        return values.maxPerAddress;
    }

    public @Nullable Duration idleTimeout() {
        return values.idleTimeout;
    }

    public @Nullable Duration readTimeout() {
        return values.readTimeout;
    }

    public @Nullable SSLContext tls() {
        return values.tls;
    }

    public Duration handshakeTimeout() {
        return values.handshakeTimeout;
    }

    public boolean reuseAddress() {
        return values.reuseAddress;
    }

    public boolean noDelay() {
        return values.noDelay;
    }

    private static final class Values {
        @Nullable
        InetAddress bindAddress;

        int backlog = 1024;
        int maxConnections = 10_000;
        int maxPerAddress = Integer.MAX_VALUE;

        @Nullable
        Duration idleTimeout;

        @Nullable
        Duration readTimeout;

        @Nullable
        SSLContext tls;

        Duration handshakeTimeout = Duration.ofSeconds(10);
        boolean reuseAddress = true;
        boolean noDelay = true;

        Values() {}

        Values(Values from) {
            bindAddress = from.bindAddress;
            backlog = from.backlog;
            maxConnections = from.maxConnections;
            maxPerAddress = from.maxPerAddress;
            idleTimeout = from.idleTimeout;
            readTimeout = from.readTimeout;
            tls = from.tls;
            handshakeTimeout = from.handshakeTimeout;
            reuseAddress = from.reuseAddress;
            noDelay = from.noDelay;
        }
    }
}
