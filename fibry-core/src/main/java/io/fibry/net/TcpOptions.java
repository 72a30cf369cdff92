package io.fibry.net;

import io.fibry.sockets.Checks;
import io.fibry.sockets.Descriptors;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The address and the limits of a {@link TcpAcceptor}. Immutable: each method with a parameter returns new options, and
 * the method of the same name without a parameter returns the value.
 *
 * <p>One timer checks the idle timeout and the handshake timeout. A connection may exceed such a timeout by an eighth,
 * but at most by a second.
 */
public final class TcpOptions {

    private static final int MOST_CONNECTIONS = 10_000;
    private static final TcpOptions DEFAULTS = new TcpOptions(new Values());

    /** Not modified any more once the constructor has been called. */
    private final Values values;

    private TcpOptions(Values values) {
        this.values = values;
    }

    /**
     * Returns the defaults: unencrypted connections on all local addresses, a backlog of 1024, at most 10,000
     * connections, or fewer if the process may open fewer descriptors, no limit for each address, a TLS handshake
     * timeout of 10 seconds, no other timeouts, and {@code SO_REUSEADDR}, {@code SO_KEEPALIVE} and {@code TCP_NODELAY}
     * set.
     */
    public static TcpOptions defaults() {
        return DEFAULTS;
    }

    private TcpOptions with(Consumer<Values> change) {
        var copy = new Values(values);
        change.accept(copy);
        return new TcpOptions(copy);
    }

    /** Sets the local address to listen on, or null for all. */
    public TcpOptions bindAddress(@Nullable InetAddress address) {
        return with(v -> v.bindAddress = address);
    }

    /**
     * Sets the maximum number of clients that wait in the operating system to be accepted. The operating system may
     * allow fewer.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public TcpOptions backlog(int clients) {
        Checks.checkPositive("backlog", clients);
        return with(v -> v.backlog = clients);
    }

    /**
     * Limits the number of connections at a time. Further ones are accepted and reset at once. The default is 10,000,
     * or the number for which three quarters of the process's descriptors suffice, if that is less: a connection needs
     * one descriptor, a forwarded connection two. The number of descriptors is known only on Linux. A connection on
     * a virtual thread is not counted for up to 10 milliseconds after its handler has returned and its output has
     * ended, so that a client that has read the end can connect again at once.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public TcpOptions maxConnections(int connections) {
        Checks.checkPositive("maxConnections", connections);
        return with(v -> v.maxConnections = connections);
    }

    /**
     * Limits the number of connections at a time from one address. Further ones are accepted and reset at once.
     * {@link Integer#MAX_VALUE} means no limit. A client with IPv6 usually has many addresses. Connections count as for
     * {@link #maxConnections}. Behind {@link #trustedProxies}, the address of the client counts.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public TcpOptions maxPerAddress(int connections) {
        Checks.checkPositive("maxPerAddress", connections);
        return with(v -> v.maxPerAddress = connections);
    }

    /**
     * Limits the time for which a read or a write waits without receiving or sending data; then the connection is
     * reset. Progress of a large write is measured in steps of 16 KiB. Null means no limit. Time in which the handler
     * neither reads nor writes does not count. A forwarded connection is reset on both sides when no data has been
     * transferred in either direction for this time, even if a side has ended its output.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public TcpOptions idleTimeout(@Nullable Duration timeout) {
        Checks.checkPositive("idleTimeout", timeout);
        return with(v -> v.idleTimeout = timeout);
    }

    /**
     * Limits the time for which a read waits. After this time the read throws {@link java.net.SocketTimeoutException},
     * and the handler may continue. Null means no limit.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public TcpOptions readTimeout(@Nullable Duration timeout) {
        Checks.checkPositive("readTimeout", timeout);
        return with(v -> v.readTimeout = timeout);
    }

    /**
     * Sets the TLS context, or null for unencrypted connections. Only TLS 1.2 and 1.3 are enabled. A certificate can be
     * renewed while the server runs: give the context a key manager such as this one.
     *
     * {@snippet class = "RenewableKeys" region = "keys"}
     */
    public TcpOptions tls(@Nullable SSLContext context) {
        return with(v -> v.tls = context);
    }

    /**
     * Sets a function that changes the TLS parameters of the server, such as client certificates, ALPN and ciphers, or
     * null for none. It is called once, at the start, with the parameters that the server would use.
     *
     * {@snippet class = "TlsSnippets" region = "tcp"}
     *
     * <p>If it enables a version before TLS 1.2, the start throws {@link IllegalArgumentException}. The handler gets an
     * {@link javax.net.ssl.SSLSocket}, whose session has the certificates of the client.
     */
    public TcpOptions tlsParameters(@Nullable Consumer<? super SSLParameters> change) {
        return with(v -> v.tlsParameters = change);
    }

    /**
     * Sets the addresses whose connections begin with a header of the PROXY protocol, version 1 or 2, or null for none.
     * The handler's socket then has the client address of the header. Without a valid header, the connection is closed.
     * The option does not change connections from other addresses, so other clients cannot forge an address.
     * {@link #maxPerAddress} limits the connections of each client address in the headers. A connection whose header
     * has not been read yet, or contains no address, is limited by {@link #maxConnections} only. The predicate is
     * called by the accepting thread and must not block.
     *
     * {@snippet class = "ProxySnippets" region = "proxies"}
     */
    public TcpOptions trustedProxies(@Nullable Predicate<? super InetAddress> addresses) {
        return with(v -> v.trustedProxies = addresses);
    }

    /**
     * Limits the time from the accept to the end of the TLS handshake and of the header of a trusted proxy. After this
     * time the connection is reset.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public TcpOptions handshakeTimeout(Duration timeout) {
        Checks.checkPositive("handshakeTimeout", Objects.requireNonNull(timeout, "timeout"));
        return with(v -> v.handshakeTimeout = timeout);
    }

    /** Sets whether to listen on a port whose former connections are still timing out ({@code SO_REUSEADDR}). */
    public TcpOptions reuseAddress(boolean reuse) {
        return with(v -> v.reuseAddress = reuse);
    }

    /**
     * Sets whether the operating system probes a silent peer ({@code SO_KEEPALIVE}). It then detects a peer that has
     * vanished without closing the connection, on Linux after about two hours. {@link #idleTimeout} is quicker.
     */
    public TcpOptions keepAlive(boolean probe) {
        return with(v -> v.keepAlive = probe);
    }

    /** Sets whether small writes are sent at once ({@code TCP_NODELAY}). */
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
        return maxConnectionsOf(TcpKind.SOCKETS);
    }

    int maxConnectionsOf(TcpKind server) {
        Integer chosen = values.maxConnections;
        return chosen != null ? chosen : Descriptors.connections(server.descriptors(), MOST_CONNECTIONS);
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

    public @Nullable Consumer<? super SSLParameters> tlsParameters() {
        return values.tlsParameters;
    }

    public @Nullable Predicate<? super InetAddress> trustedProxies() {
        return values.trustedProxies;
    }

    public Duration handshakeTimeout() {
        return values.handshakeTimeout;
    }

    public boolean reuseAddress() {
        return values.reuseAddress;
    }

    public boolean keepAlive() {
        return values.keepAlive;
    }

    public boolean noDelay() {
        return values.noDelay;
    }

    private static final class Values {
        @Nullable
        InetAddress bindAddress;

        int backlog = 1024;

        @Nullable
        Integer maxConnections;

        int maxPerAddress = Integer.MAX_VALUE;

        @Nullable
        Duration idleTimeout;

        @Nullable
        Duration readTimeout;

        @Nullable
        SSLContext tls;

        @Nullable
        Consumer<? super SSLParameters> tlsParameters;

        @Nullable
        Predicate<? super InetAddress> trustedProxies;

        Duration handshakeTimeout = Duration.ofSeconds(10);
        boolean reuseAddress = true;
        boolean keepAlive = true;
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
            tlsParameters = from.tlsParameters;
            trustedProxies = from.trustedProxies;
            handshakeTimeout = from.handshakeTimeout;
            reuseAddress = from.reuseAddress;
            keepAlive = from.keepAlive;
            noDelay = from.noDelay;
        }
    }
}
