package io.fibry.bench.net;

import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.net.TcpOptions;
import io.fibry.stereotypes.Stereotypes;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A server with room for {@link #ROOM} clients. The argument is its kind: {@code tcp}, {@code http}, {@code busy}, or
 * {@code none} for a bare server without room.
 */
final class CrowdedServer {

    /** The maximum number of concurrent connections or, with {@code busy}, requests. */
    static final int ROOM = 32;

    private static final long BUSY_MILLIS = 20;

    private CrowdedServer() {}

    public static void main(String[] args) throws Exception {
        int port = start(args[0]);
        Child.answer(question -> port);
    }

    private static int start(String kind) throws IOException {
        return switch (kind) {
            case "tcp" -> tcp();
            case "http" ->
                http(
                        HttpRoutes.all(exchange -> Servers.PAGE),
                        HttpOptions.defaults().maxConnections(ROOM));
            case "busy" ->
                http(
                        HttpRoutes.all(exchange -> {
                            Thread.sleep(BUSY_MILLIS);
                            return Servers.PAGE;
                        }),
                        HttpOptions.defaults().maxRequests(ROOM));
            case "none" -> none();
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static int tcp() {
        var options = TcpOptions.defaults().maxConnections(ROOM);
        return Stereotypes.fibers().tcpAcceptor(0, Servers::echo, options).port();
    }

    private static int http(HttpRoutes routes, HttpOptions options) {
        return Stereotypes.fibers().embeddedHttpServer(0, routes, options).port();
    }

    private static int none() throws IOException {
        var server = new ServerSocket(0, 1024);
        Thread.ofPlatform().name("refuse").start(() -> refuse(server));
        return server.getLocalPort();
    }

    private static void refuse(ServerSocket server) {
        while (true) {
            try (Socket connection = server.accept()) {
                connection.setSoLinger(true, 0);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
