package io.fibry.helidon;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpPrologue;
import io.helidon.http.WritableHeaders;
import io.helidon.http.http2.Http2Exception;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.spi.Http1Upgrader;
import io.helidon.webserver.http2.Http2Config;
import io.helidon.webserver.http2.Http2ConnectionSelector;
import io.helidon.webserver.http2.Http2Upgrader;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Helidon's HTTP/2 with {@link Http2Input} in front of it, on both ways to a connection: at its begin, and by an
 * upgrade.
 */
final class Http2Protocol implements ServerConnectionSelector, Http1Upgrader {

    private static final HeaderName SETTINGS = HeaderNames.create("HTTP2-Settings");

    private final int maxHeaderBytes;
    private final Http2ConnectionSelector selector;
    private final Http2Upgrader upgrader;

    Http2Protocol(HelidonOptions options) {
        maxHeaderBytes = options.maxHeaderBytes();
        Http2Config config = Http2Config.builder()
                .maxHeaderListSize(maxHeaderBytes)
                .validatePath(false) // as RequestFilter does
                .maxConcurrentStreams(2L * Http2Input.MAX_STREAMS)
                .build();
        selector = Http2ConnectionSelector.builder().http2Config(config).build();
        upgrader = Http2Upgrader.create(config);
    }

    /** A connection that an upgrade or the selector creates. */
    private @Nullable ServerConnection guarded(
            ConnectionContext connection, Function<ConnectionContext, @Nullable ServerConnection> creation) {
        var bodies = new Http2Bodies();
        var input = new Http2Input(connection.dataReader(), connection.dataWriter(), maxHeaderBytes, bodies);
        var listener = new Http2Listener(connection.listenerContext(), bodies);
        ServerConnection created = creation.apply(new ConnectionView(connection, DataReader.create(input), listener));
        return created == null ? null : new Http2Connection(created, bodies);
    }

    // ---- at the begin of a connection

    @Override
    public int bytesToIdentifyConnection() {
        return selector.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return selector.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return selector.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext connection) {
        return Objects.requireNonNull(guarded(connection, selector::connection));
    }

    // ---- by an upgrade

    @Override
    public String supportedProtocol() {
        return upgrader.supportedProtocol();
    }

    @Override
    public @Nullable ServerConnection upgrade(
            ConnectionContext connection, HttpPrologue prologue, WritableHeaders<?> headers) {
        if (!headers.contains(SETTINGS) || RequestFilter.faultOfPath(prologue) != null) {
            return null; // a server may ignore an upgrade, and RequestFilter refuses the path
        }
        try {
            return guarded(connection, view -> upgrader.upgrade(view, prologue, headers));
        } catch (IllegalArgumentException | Http2Exception e) {
            throw Http1Headers.badRequest("The upgrade to HTTP/2 is invalid");
        }
    }
}
