package io.fibry.bench.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.fibry.ThreadStrategy;
import io.fibry.stereotypes.Stereotypes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Executor;

/** The components of the servers of {@link NetPeer}. */
final class Servers {

    static final String PAGE = "Hello World!";

    private Servers() {}

    static int tcp(ThreadStrategy strategy) {
        return Stereotypes.with(strategy).tcpAcceptor(0, Servers::hello).port();
    }

    static int http(ThreadStrategy strategy) {
        return Stereotypes.with(strategy)
                .embeddedHttpServer(0, exchange -> PAGE)
                .port();
    }

    /** The handler of a connection. */
    @FunctionalInterface
    interface Handler {
        void handle(Socket connection) throws IOException;
    }

    /** Starts a bare server socket, whose connections are handled by the executor. */
    static int bareTcp(Executor executor) throws IOException {
        var server = new ServerSocket(0, 1024);
        Thread.ofPlatform().name("accept").start(() -> serve(server, executor, Servers::hello));
        return server.getLocalPort();
    }

    /** Starts the bare server of the JDK, whose exchanges are handled by the executor. */
    static int bareHttp(Executor executor) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(0), 1024);
        server.createContext("/", exchange -> {
            byte[] body = PAGE.getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8"); // like the other peers
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.setExecutor(executor);
        server.start();
        return server.getAddress().getPort();
    }

    static void serve(ServerSocket server, Executor executor, Handler handler) {
        while (true) {
            try {
                Socket connection = server.accept();
                executor.execute(() -> answer(connection, handler));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void answer(Socket connection, Handler handler) {
        try (connection) {
            handler.handle(connection);
        } catch (IOException e) {
            // the client has closed the connection, which the other peers also ignore
        }
    }

    /** The article's handler, unchanged: it does not detect the end of the input, and spins. */
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
