package io.fibry.helidon;

import io.fibry.dispatch.Durations;
import io.fibry.sockets.Ports;
import io.helidon.common.tls.Tls;
import io.helidon.http.DirectHandler;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.spi.Http1Upgrader;
import io.helidon.webserver.websocket.WsConfig;
import io.helidon.webserver.websocket.WsRouting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/** Configures and starts Helidon's server. */
final class Engine {

    /** An eighth of the shortest timeout of the clients, but at most this. */
    private static final Duration LONGEST_TICK = Duration.ofSeconds(1);

    /** For connections without a request in progress when the server stops them. */
    private static final Duration GRACE = Duration.ofMillis(100);

    /** Helidon would send the message of the exception, which is not for strangers. It logs the exception. */
    private static final DirectHandler INTERNAL_ERROR =
            (request, type, status, headers, message) -> DirectHandler.TransportResponse.builder()
                    .status(status)
                    .headers(headers)
                    .entity("500 Internal Server Error")
                    .build();

    private Engine() {}

    /** How often the clients of these routes must be checked. */
    static Duration tick(HelidonRoutes routes) {
        return routes.webSockets().stream()
                .map(WebSocketRoute::options)
                .flatMap(o -> Stream.of(
                        o.idleTimeout(), o.writeTimeout(), o.pingPeriod() == null ? o.idleTimeout() : o.pingPeriod()))
                .map(timeout -> timeout.dividedBy(8))
                .reduce(LONGEST_TICK, (a, b) -> a.compareTo(b) < 0 ? a : b);
    }

    static WebServer start(
            InetSocketAddress address, HelidonRoutes routes, HelidonOptions options, ServerParts server) {
        WsConfig webSocket = WsConfig.create();
        List<Http1Upgrader> upgraders = new ArrayList<>();
        upgraders.add(new SessionUpgrader(webSocket, server.gate()));
        WebServerConfig.Builder config = WebServer.builder()
                .shutdownHook(false) // the actor system has one
                .address(address.getAddress())
                .port(address.getPort())
                .backlog(options.backlog())
                .maxTcpConnections(options.maxConnections())
                .maxPayloadSize(options.maxBodyBytes())
                .idleConnectionTimeout(options.idleTimeout())
                .useNio(false) // NIO takes 8 KB more per connection, and with TLS looks up the client's name
                .idleConnectionPeriod(Duration.ofNanos(Durations.limitedNanos(options.idleTimeout()) / 2))
                .shutdownGracePeriod(GRACE)
                .directHandlers(DirectHandlers.builder()
                        .addHandler(DirectHandler.EventType.INTERNAL_ERROR, INTERNAL_ERROR)
                        .build())
                .protocolsDiscoverServices(false)
                .addProtocol(webSocket)
                .addRouting(http(routes, server))
                .addRouting(webSockets(routes, server));
        if (options.http2()) {
            var http2 = new Http2Protocol(options);
            config.addConnectionSelector(http2); // first: with TLS, the order is that of preference
            upgraders.add(http2);
        }
        config.addConnectionSelector(new Http1Protocol(options, upgraders, server.gate()));
        SSLContext tls = options.tls();
        if (tls != null) {
            config.tls(Tls.builder().sslContext(tls).build());
        }
        Consumer<? super WebServerConfig.Builder> change = options.configure();
        if (change != null) {
            change.accept(config);
        }
        return start(config, address);
    }

    /** Helidon only logs why it cannot listen. */
    private static WebServer start(WebServerConfig.Builder config, InetSocketAddress address) {
        WebServer server = config.build().start();
        if (!server.isRunning()) {
            throw Ports.cannotListen(address, reason(address));
        }
        return server;
    }

    private static IOException reason(InetSocketAddress address) {
        try (var probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(address);
            return new IOException("Helidon could not start its server, as its log says");
        } catch (IOException e) {
            return e;
        }
    }

    private static HttpRouting.Builder http(HelidonRoutes routes, ServerParts server) {
        HttpRouting.Builder http = HttpRouting.builder().addFilter(new RequestFilter(server.gate()));
        new RequestFailures(server.actor()::name, server.log(), server.failures()).addTo(http);
        routes.events().forEach(route -> http.get(route.path(), new EventStreamResponder(route.events(), server)));
        routes.http().forEach(more -> more.accept(http));
        return http;
    }

    private static WsRouting.Builder webSockets(HelidonRoutes routes, ServerParts server) {
        WsRouting.Builder webSockets = WsRouting.builder();
        routes.webSockets().forEach(route -> {
            webSockets.endpoint(route.path(), new SessionUpgrader.Target(new SessionOpener(route, server)));
        });
        return webSockets;
    }
}
