package io.fibry.bench.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fibry.ThreadStrategy;
import io.fibry.stereotypes.Stereotypes;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;

/** What the servers of {@link NetPeer} are made of. */
final class Servers {

    static final String PAGE = "Hello World!";

    private Servers() {}

    static int tcp(ThreadStrategy strategy) {
        return Stereotypes.with(strategy)
                .tcpAcceptorSilent(0, Servers::hello, null)
                .port();
    }

    static int http(ThreadStrategy strategy) {
        return Stereotypes.with(strategy)
                .embeddedHttpServer(0, exchange -> PAGE)
                .port();
    }

    /** What is done with a connection. */
    @FunctionalInterface
    interface Handler {
        void handle(Socket connection) throws IOException;
    }

    /** Bare: a virtual thread for each connection. */
    static void serve(ServerSocket server, Handler handler) {
        while (true) {
            try {
                Socket connection = server.accept();
                Thread.startVirtualThread(() -> answer(connection, handler));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void answer(Socket connection, Handler handler) {
        try (connection) {
            handler.handle(connection);
        } catch (IOException e) {
            // the client went away: the other peers are silent about it too
        }
    }

    /** The article's handler. */
    static void hello(Socket connection) throws IOException {
        try (var is = connection.getInputStream();
                var os = connection.getOutputStream()) {
            while (is.read() != '\n' || is.read() != '\r' || is.read() != '\n') {
                // skip to the end
            }
            os.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!".getBytes(UTF_8));
        }
    }

    /** Byte by byte. */
    static void echo(Socket connection) throws IOException {
        var in = connection.getInputStream();
        var out = connection.getOutputStream();
        for (int c = in.read(); c >= 0; c = in.read()) {
            out.write(c);
        }
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
