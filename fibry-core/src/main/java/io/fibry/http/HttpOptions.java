package io.fibry.http;

import io.fibry.sockets.Checks;
import io.fibry.sockets.Descriptors;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The address, the TLS context and the limits of an {@link HttpServerActor}. Immutable: each method with a parameter
 * returns new options, and the method of the same name without a parameter returns the value. {@code
 * docs/http-server.md} describes the effect of an exceeded limit, and lists the limits that all servers of a JVM share.
 */
public final class HttpOptions {

    /**
     * In bytes: about the size of the buffers of a connection that has sent something, and some room for its request.
     */
    private static final int HEAP_PER_CONNECTION = 64 * 1024;

    /** With TLS, there are also the buffers and the state of the handshake. */
    private static final int HEAP_PER_TLS_CONNECTION = 256 * 1024;

    private static final int MOST_CONNECTIONS = 10_000;

    private static final HttpOptions DEFAULTS = new HttpOptions(new Values());

    /** Not modified once this object is constructed. */
    private final Values values;

    private HttpOptions(Values values) {
        this.values = values;
    }

    /**
     * Returns the default options: all local addresses, a backlog of 1,024, no TLS. The maximum number of connections
     * is 10,000, or one for each 64 KiB of the maximum heap (with TLS 256 KiB), or three quarters of the descriptors
     * that the process may open, whichever is the smallest. The maximum number of requests at a time is the same,
     * without a limit for each address. A request has at most 32 KiB of headers in 100 lines, and a body of at most 1
     * MiB. The request timeout, the write timeout and the idle timeout are 30 seconds.
     */
    public static HttpOptions defaults() {
        return DEFAULTS;
    }

    private HttpOptions with(Consumer<Values> change) {
        var copy = new Values(values);
        change.accept(copy);
        return new HttpOptions(copy);
    }

    /** Sets the local address to listen on, or null for all. */
    public HttpOptions bindAddress(@Nullable InetAddress address) {
        return with(v -> v.bindAddress = address);
    }

    /**
     * Sets the maximum number of clients that wait in the operating system to be accepted. The operating system may
     * allow fewer.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public HttpOptions backlog(int clients) {
        Checks.checkPositive("backlog", clients);
        return with(v -> v.backlog = clients);
    }

    /**
     * Limits the number of open connections. Further connections are closed at once. The JDK's server has one such
     * limit in a JVM, which the first server sets. On Linux, it is at most three quarters of the descriptors that the
     * process may open; a warning is logged if the number is larger.
     *
     * <p>There is no limit of connections for each address: the JDK's server accepts connections itself, and reports a
     * connection only when the head of a request is complete. One address can take all connections with heads that it
     * never completes. On an open port, put a proxy in front of the server. {@code docs/tls-and-proxies.md} has a
     * tested configuration of nginx.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public HttpOptions maxConnections(int connections) {
        Checks.checkPositive("maxConnections", connections);
        return with(v -> v.maxConnections = connections);
    }

    /**
     * Limits the number of requests that are handled at a time. Further requests, except health checks, get the status
     * 503.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public HttpOptions maxRequests(int requests) {
        Checks.checkPositive("maxRequests", requests);
        return with(v -> v.maxRequests = requests);
    }

    /**
     * Limits the number of requests from one address that are handled at a time. Further requests get the status 429.
     * {@link Integer#MAX_VALUE} means no limit. Behind a proxy, all requests come from its address: set the limit in
     * the proxy. Connections without a complete head of a request are not counted, see {@link #maxConnections}.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public HttpOptions maxPerAddress(int requests) {
        Checks.checkPositive("maxPerAddress", requests);
        return with(v -> v.maxPerAddress = requests);
    }

    /**
     * Sets the maximum size of the request line and the header lines, with 32 bytes added for each line. If a request
     * exceeds it, the connection is closed, or the request gets the status 431.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public HttpOptions maxHeaderBytes(int bytes) {
        Checks.checkPositive("maxHeaderBytes", bytes);
        return with(v -> v.maxHeaderBytes = bytes);
    }

    /**
     * Limits the number of header lines of a request. If a request has more, the connection is closed, or the request
     * gets the status 431.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public HttpOptions maxHeaders(int lines) {
        Checks.checkPositive("maxHeaders", lines);
        return with(v -> v.maxHeaders = lines);
    }

    /**
     * Sets the maximum size of a request body. A request with a larger body gets the status 413.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public HttpOptions maxBodyBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("maxBodyBytes must be at least 0, not " + bytes);
        }
        return with(v -> v.maxBodyBytes = bytes);
    }

    /**
     * Limits the time in which a client sends a request. After this time the connection is closed.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public HttpOptions requestTimeout(Duration timeout) {
        Checks.checkPositive("requestTimeout", Objects.requireNonNull(timeout, "timeout"));
        return with(v -> v.requestTimeout = timeout);
    }

    /**
     * Limits the time in which a client accepts each 16 KiB of a response. After this time the connection is closed.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public HttpOptions writeTimeout(Duration timeout) {
        Checks.checkPositive("writeTimeout", Objects.requireNonNull(timeout, "timeout"));
        return with(v -> v.writeTimeout = timeout);
    }

    /**
     * Limits the time for which a connection is idle between two requests. After this time the connection is closed.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public HttpOptions idleTimeout(Duration timeout) {
        Checks.checkPositive("idleTimeout", Objects.requireNonNull(timeout, "timeout"));
        return with(v -> v.idleTimeout = timeout);
    }

    /**
     * Sets the TLS context of an HTTPS server, or null for plain HTTP. Only TLS 1.2 and 1.3 are allowed. For a
     * certificate that is renewed while the server runs, see {@code TcpOptions.tls}.
     */
    public HttpOptions tls(@Nullable SSLContext context) {
        return with(v -> v.tls = context);
    }

    /**
     * Sets a function that changes the TLS parameters of the server, such as client certificates, ALPN and ciphers, or
     * null for none. It is called once, at the start, with the parameters that the server would use.
     *
     * {@snippet class = "TlsSnippets" region = "http"}
     *
     * <p>If it enables a version before TLS 1.2, the start throws {@link IllegalArgumentException}. The handler gets an
     * {@link com.sun.net.httpserver.HttpsExchange}, whose session has the certificates of the client.
     */
    public HttpOptions tlsParameters(@Nullable Consumer<? super SSLParameters> change) {
        return with(v -> v.tlsParameters = change);
    }

    /**
     * Sets a consumer of the requests that have ended, or null for none. It is called inside the actor of the request,
     * possibly by several threads concurrently; the next request of the same connection waits for it. Only its first
     * exception is logged.
     */
    public HttpOptions accessLog(@Nullable Consumer<? super HttpAccess> log) {
        return with(v -> v.accessLog = log);
    }

    // ---- the values

    public @Nullable InetAddress bindAddress() {
        return values.bindAddress;
    }

    public int backlog() {
        return values.backlog;
    }

    public int maxConnections() {
        return orForTheProcess(values.maxConnections);
    }

    public int maxRequests() {
        return orForTheProcess(values.maxRequests);
    }

    public int maxPerAddress() {
        return values.maxPerAddress;
    }

    public int maxHeaderBytes() {
        return values.maxHeaderBytes;
    }

    public int maxHeaders() {
        return values.maxHeaders;
    }

    public long maxBodyBytes() {
        return values.maxBodyBytes;
    }

    public Duration requestTimeout() {
        return values.requestTimeout;
    }

    public Duration writeTimeout() {
        return values.writeTimeout;
    }

    public Duration idleTimeout() {
        return values.idleTimeout;
    }

    public @Nullable SSLContext tls() {
        return values.tls;
    }

    public @Nullable Consumer<? super SSLParameters> tlsParameters() {
        return values.tlsParameters;
    }

    public @Nullable Consumer<? super HttpAccess> accessLog() {
        return values.accessLog;
    }

    private int orForTheProcess(@Nullable Integer chosen) {
        if (chosen != null) {
            return chosen;
        }
        int each = values.tls == null ? HEAP_PER_CONNECTION : HEAP_PER_TLS_CONNECTION;
        int most = Math.clamp(Runtime.getRuntime().maxMemory() / each, 1, MOST_CONNECTIONS);
        return Descriptors.connections(1, most);
    }

    private static final class Values {
        @Nullable
        InetAddress bindAddress;

        int backlog = 1024;

        @Nullable
        Integer maxConnections;

        @Nullable
        Integer maxRequests;

        int maxPerAddress = Integer.MAX_VALUE;
        int maxHeaderBytes = 32 * 1024;
        int maxHeaders = 100;
        long maxBodyBytes = 1024 * 1024;
        Duration requestTimeout = Duration.ofSeconds(30);
        Duration writeTimeout = Duration.ofSeconds(30);
        Duration idleTimeout = Duration.ofSeconds(30);

        @Nullable
        SSLContext tls;

        @Nullable
        Consumer<? super SSLParameters> tlsParameters;

        @Nullable
        Consumer<? super HttpAccess> accessLog;

        Values() {}

        Values(Values from) {
            bindAddress = from.bindAddress;
            backlog = from.backlog;
            maxConnections = from.maxConnections;
            maxRequests = from.maxRequests;
            maxPerAddress = from.maxPerAddress;
            maxHeaderBytes = from.maxHeaderBytes;
            maxHeaders = from.maxHeaders;
            maxBodyBytes = from.maxBodyBytes;
            requestTimeout = from.requestTimeout;
            writeTimeout = from.writeTimeout;
            idleTimeout = from.idleTimeout;
            tls = from.tls;
            tlsParameters = from.tlsParameters;
            accessLog = from.accessLog;
        }
    }
}
