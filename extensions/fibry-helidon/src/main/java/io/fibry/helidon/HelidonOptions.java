package io.fibry.helidon;

import io.fibry.sockets.Checks;
import io.fibry.sockets.Descriptors;
import io.helidon.webserver.WebServerConfig;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The address, the TLS context and the limits of a {@link HelidonServer}. Immutable: each method with a parameter
 * returns new options, and the method of the same name without a parameter returns the value. {@code docs/helidon.md}
 * describes the effect of an exceeded limit, and lists the limits that Helidon does not have.
 */
public final class HelidonOptions {

    private static final int MOST_CONNECTIONS = 10_000;

    private static final HelidonOptions DEFAULTS = new HelidonOptions(new Values());

    /** Not modified once this object is constructed. */
    private final Values values;

    private HelidonOptions(Values values) {
        this.values = values;
    }

    /**
     * The default options: all local addresses, a backlog of 1,024, no TLS. The maximum number of connections is
     * 10,000, or three quarters of the descriptors that the process may open if that is less. As many requests at a
     * time are allowed. 32 KiB of headers, 1 MiB of body, an idle timeout of 30 seconds. HTTP/1.1 only.
     */
    public static HelidonOptions defaults() {
        return DEFAULTS;
    }

    private HelidonOptions with(Consumer<Values> change) {
        var copy = new Values(values);
        change.accept(copy);
        return new HelidonOptions(copy);
    }

    /** Sets the local address to listen on, or null for all. */
    public HelidonOptions bindAddress(@Nullable InetAddress address) {
        return with(v -> v.bindAddress = address);
    }

    /**
     * Sets how many clients may wait in the operating system to be accepted. The system may allow fewer.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public HelidonOptions backlog(int clients) {
        Checks.checkPositive("backlog", clients);
        return with(v -> v.backlog = clients);
    }

    /**
     * Sets how many connections may be open at a time, WebSockets included. Further clients wait in the backlog.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public HelidonOptions maxConnections(int connections) {
        Checks.checkPositive("maxConnections", connections);
        return with(v -> v.maxConnections = connections);
    }

    /**
     * Sets how many requests may be handled at a time. Further ones get the status 503. WebSockets do not count,
     * streams of events do.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public HelidonOptions maxRequests(int requests) {
        Checks.checkPositive("maxRequests", requests);
        return with(v -> v.maxRequests = requests);
    }

    /**
     * Sets the maximum size of the headers of a request: of their lines, or with HTTP/2 of the decompressed names and
     * values plus 32 bytes for each.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public HelidonOptions maxHeaderBytes(int bytes) {
        Checks.checkPositive("maxHeaderBytes", bytes);
        return with(v -> v.maxHeaderBytes = bytes);
    }

    /**
     * Sets the maximum size of a request body. A request with a larger one gets the status 413. With HTTP/2,
     * {@code ReadableEntity.buffer()} has Helidon's own limit of 64 KiB instead.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public HelidonOptions maxBodyBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("maxBodyBytes must be at least 0, not " + bytes);
        }
        return with(v -> v.maxBodyBytes = bytes);
    }

    /**
     * Sets how long a connection may be idle between two requests. Then it is closed, up to half of this time later.
     * For WebSockets, see {@link WebSocketOptions#idleTimeout}.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public HelidonOptions idleTimeout(Duration timeout) {
        Checks.checkPositive("idleTimeout", Objects.requireNonNull(timeout, "timeout"));
        return with(v -> v.idleTimeout = timeout);
    }

    /**
     * Sets whether the server speaks HTTP/2, too: with TLS by ALPN, without TLS by upgrade or prior knowledge. It does
     * not by default; {@code docs/helidon.md} says why.
     */
    public HelidonOptions http2(boolean enabled) {
        return with(v -> v.http2 = enabled);
    }

    /** Sets the TLS context, or null for none. */
    public HelidonOptions tls(@Nullable SSLContext context) {
        return with(v -> v.tls = context);
    }

    /** Sets a function that changes Helidon's own options after the options of this class are set, or null for none. */
    public HelidonOptions configure(@Nullable Consumer<? super WebServerConfig.Builder> change) {
        return with(v -> v.configure = change);
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

    public int maxHeaderBytes() {
        return values.maxHeaderBytes;
    }

    public long maxBodyBytes() {
        return values.maxBodyBytes;
    }

    public Duration idleTimeout() {
        return values.idleTimeout;
    }

    public boolean http2() {
        return values.http2;
    }

    public @Nullable SSLContext tls() {
        return values.tls;
    }

    public @Nullable Consumer<? super WebServerConfig.Builder> configure() {
        return values.configure;
    }

    private static int orForTheProcess(@Nullable Integer chosen) {
        return chosen != null ? chosen : Descriptors.connections(1, MOST_CONNECTIONS);
    }

    /** The values, with the defaults. */
    private static final class Values {
        private @Nullable InetAddress bindAddress;
        private int backlog = 1024;
        private @Nullable Integer maxConnections;
        private @Nullable Integer maxRequests;
        private int maxHeaderBytes = 32 * 1024;
        private long maxBodyBytes = 1024 * 1024;
        private Duration idleTimeout = Duration.ofSeconds(30);
        private boolean http2;
        private @Nullable SSLContext tls;
        private @Nullable Consumer<? super WebServerConfig.Builder> configure;

        Values() {}

        Values(Values from) {
            bindAddress = from.bindAddress;
            backlog = from.backlog;
            maxConnections = from.maxConnections;
            maxRequests = from.maxRequests;
            maxHeaderBytes = from.maxHeaderBytes;
            maxBodyBytes = from.maxBodyBytes;
            idleTimeout = from.idleTimeout;
            http2 = from.http2;
            tls = from.tls;
            configure = from.configure;
        }
    }
}
