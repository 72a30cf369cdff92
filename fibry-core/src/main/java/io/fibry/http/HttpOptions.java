package io.fibry.http;

import io.fibry.sockets.Checks;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How an {@link HttpServerActor} listens, and its limits. Immutable: each method with a parameter makes new options, and the
 * one of the same name without a parameter tells the value. {@code docs/servers.md} says for each limit what happens beyond
 * it, and which of them all servers of a JVM share.
 */
public final class HttpOptions {

    /** A connection that has sent a byte has some buffers, in all about this many bytes, and some room for its request. */
    private static final int HEAP_PER_CONNECTION = 64 * 1024;

    /** One with TLS has the buffers and the state of its handshake beside. */
    private static final int HEAP_PER_TLS_CONNECTION = 256 * 1024;

    private static final HttpOptions DEFAULTS = new HttpOptions(new Values());

    /** Changed only before the options that hold it are made. */
    private final Values values;

    private HttpOptions(Values values) {
        this.values = values;
    }

    /**
     * All local addresses, a backlog of 1,024; 10,000 connections, or one for each 64 KiB of the maximum heap if those are
     * fewer, and with TLS one for each 256 KiB; as many requests; 32 KiB of headers in 100 lines, 1 MiB of body; 30 seconds to
     * send a request, 30 without progress of the response, 30 between two requests; no TLS.
     */
    public static HttpOptions defaults() {
        return DEFAULTS;
    }

    private HttpOptions with(Consumer<Values> change) {
        var copy = new Values(values);
        change.accept(copy);
        return new HttpOptions(copy);
    }

    /** The local address to listen on, or null for all. */
    public HttpOptions bindAddress(@Nullable InetAddress address) {
        return with(v -> v.bindAddress = address);
    }

    /**
     * How many clients the operating system holds while they wait to be accepted; it may hold fewer.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public HttpOptions backlog(int clients) {
        Checks.checkPositive("backlog", clients);
        return with(v -> v.backlog = clients);
    }

    /**
     * How many connections are open at a time; beyond, new ones are closed at once. The JDK's server has this limit once for a
     * JVM: the first server's.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public HttpOptions maxConnections(int connections) {
        Checks.checkPositive("maxConnections", connections);
        return with(v -> v.maxConnections = connections);
    }

    /**
     * How many requests are being handled at a time; beyond, requests get the status 503.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public HttpOptions maxRequests(int requests) {
        Checks.checkPositive("maxRequests", requests);
        return with(v -> v.maxRequests = requests);
    }

    /**
     * How long the request line and the headers are, with 32 bytes added for each of them; beyond, the connection is closed, or
     * the request gets the status 431.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public HttpOptions maxHeaderBytes(int bytes) {
        Checks.checkPositive("maxHeaderBytes", bytes);
        return with(v -> v.maxHeaderBytes = bytes);
    }

    /**
     * How many header lines a request has; beyond, the connection is closed, or the request gets the status 431.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public HttpOptions maxHeaders(int lines) {
        Checks.checkPositive("maxHeaders", lines);
        return with(v -> v.maxHeaders = lines);
    }

    /**
     * How long the body of a request is; beyond, the request gets the status 413.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public HttpOptions maxBodyBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("maxBodyBytes has to be at least 0, and this one is " + bytes);
        }
        return with(v -> v.maxBodyBytes = bytes);
    }

    /**
     * How long a client may take to send a request; then its connection is closed.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public HttpOptions requestTimeout(Duration timeout) {
        Checks.checkPositive("requestTimeout", Objects.requireNonNull(timeout, "timeout"));
        return with(v -> v.requestTimeout = timeout);
    }

    /**
     * How long the client may take to accept each 16 KiB of a response; then its connection is closed.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public HttpOptions writeTimeout(Duration timeout) {
        Checks.checkPositive("writeTimeout", Objects.requireNonNull(timeout, "timeout"));
        return with(v -> v.writeTimeout = timeout);
    }

    /**
     * How long a connection is kept between two requests.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public HttpOptions idleTimeout(Duration timeout) {
        Checks.checkPositive("idleTimeout", Objects.requireNonNull(timeout, "timeout"));
        return with(v -> v.idleTimeout = timeout);
    }

    /** What makes it an HTTPS server, or null for plain HTTP; only TLS 1.2 and 1.3 are spoken. */
    public HttpOptions tls(@Nullable SSLContext context) {
        return with(v -> v.tls = context);
    }

    // ---- the values

    public @Nullable InetAddress bindAddress() {
        return values.bindAddress;
    }

    public int backlog() {
        return values.backlog;
    }

    public int maxConnections() {
        return orForTheHeap(values.maxConnections);
    }

    public int maxRequests() {
        return orForTheHeap(values.maxRequests);
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

    private int orForTheHeap(@Nullable Integer chosen) {
        if (chosen != null) {
            return chosen;
        }
        int each = values.tls == null ? HEAP_PER_CONNECTION : HEAP_PER_TLS_CONNECTION;
        return Math.clamp(Runtime.getRuntime().maxMemory() / each, 1, 10_000);
    }

    private static final class Values {
        @Nullable
        InetAddress bindAddress;

        int backlog = 1024;

        @Nullable
        Integer maxConnections;

        @Nullable
        Integer maxRequests;

        int maxHeaderBytes = 32 * 1024;
        int maxHeaders = 100;
        long maxBodyBytes = 1024 * 1024;
        Duration requestTimeout = Duration.ofSeconds(30);
        Duration writeTimeout = Duration.ofSeconds(30);
        Duration idleTimeout = Duration.ofSeconds(30);

        @Nullable
        SSLContext tls;

        Values() {}

        Values(Values from) {
            bindAddress = from.bindAddress;
            backlog = from.backlog;
            maxConnections = from.maxConnections;
            maxRequests = from.maxRequests;
            maxHeaderBytes = from.maxHeaderBytes;
            maxHeaders = from.maxHeaders;
            maxBodyBytes = from.maxBodyBytes;
            requestTimeout = from.requestTimeout;
            writeTimeout = from.writeTimeout;
            idleTimeout = from.idleTimeout;
            tls = from.tls;
        }
    }
}
