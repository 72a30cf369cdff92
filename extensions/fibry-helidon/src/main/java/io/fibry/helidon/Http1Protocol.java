package io.fibry.helidon;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.helidon.common.buffers.BufferData;
import io.helidon.http.Headers;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionListener;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.http1.spi.Http1Upgrader;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.util.List;
import java.util.Set;

/**
 * Helidon's HTTP/1.1. It also gets connections of other protocols, and HTTP/1.0, which it refuses with a status. A
 * connection ends after a response with {@code Connection: close}: Helidon would wait for a further request. After a
 * stop of the server, each response has this header, so that its client sends no further request that would be refused
 * or cut.
 */
final class Http1Protocol implements ServerConnectionSelector {

    private static final byte[] HTTP_2 = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);

    private final Http1ConnectionSelector selector;
    private final boolean http2;

    Http1Protocol(HelidonOptions options, List<Http1Upgrader> upgraders, Gate gate) {
        http2 = options.http2();
        Http1Config config = Http1Config.builder()
                .maxHeadersSize(options.maxHeaderBytes())
                .validatePath(false) // as RequestFilter does
                .addReceiveListener(new Http1Headers())
                .addSendListener(new Http1ConnectionListener() {
                    @Override
                    public void headers(ConnectionContext context, Headers headers) {
                        Http1Headers.sent(context, headers, gate.isClosed());
                    }
                })
                .build();
        selector = Http1ConnectionSelector.builder()
                .config(config)
                .update(builder -> upgraders.forEach(builder::addUpgrader))
                .build();
    }

    @Override
    public int bytesToIdentifyConnection() {
        return 0; // as many as there are
    }

    @Override
    public Support supports(BufferData data) {
        return http2 && mayBeHttp2(data) ? Support.UNKNOWN : Support.SUPPORTED;
    }

    private static boolean mayBeHttp2(BufferData data) {
        int length = Math.min(data.available(), HTTP_2.length);
        for (int i = 0; i < length; i++) {
            if (data.get(i) != HTTP_2[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return selector.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        var view = new ConnectionView(context, new Http1Input(context.dataReader()), context.listenerContext());
        ServerConnection connection = selector.connection(view);
        view.serves(connection);
        return connection;
    }
}
