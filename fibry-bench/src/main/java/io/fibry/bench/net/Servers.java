package io.fibry.bench.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.helidon.HelidonRoutes;
import io.fibry.helidon.HelidonServer;
import io.fibry.stereotypes.Stereotypes;
import io.helidon.common.media.type.MediaTypes;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.Executor;

/** The components of the servers of {@link NetPeer}. */
final class Servers {

    static final String PAGE = "Hello World!";

    static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!";
    static final String KEPT_ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: keep-alive\r\n\r\nHello!";

    private static final byte[] END = "\r\n\r\n".getBytes(UTF_8);
    private static final int MAX_REQUEST = 1024;

    private Servers() {}

    static int tcp(ThreadStrategy strategy, Handler handler) {
        return Stereotypes.with(strategy).tcpAcceptor(0, handler::handle).port();
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
    static int bareTcp(Executor executor, Handler handler) throws IOException {
        var server = new ServerSocket(0, 1024);
        Thread.ofPlatform().name("accept").start(() -> serve(server, executor, handler));
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

    /** Starts the bare server of Helidon. */
    static int helidon() {
        return WebServer.builder()
                .backlog(1024)
                .routing(Servers::page)
                .build()
                .start()
                .port();
    }

    /** Starts the server of {@code fibry-helidon} with all of its limits. */
    static int fibryHelidon() {
        return HelidonServer.start(
                        ActorSystem.defaultSystem().actor(),
                        0,
                        HelidonRoutes.none().http(Servers::page))
                .port();
    }

    private static void page(HttpRouting.Builder routing) {
        routing.get("/", (request, response) -> {
            response.headers().contentType(MediaTypes.TEXT_PLAIN); // like the other peers
            response.send(PAGE);
        });
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

    /** Answers one request, or, if connections are kept, each one until the client closes the connection. */
    static Handler hello(boolean keeps) {
        byte[] answer = (keeps ? KEPT_ANSWER : ANSWER).getBytes(UTF_8);
        return connection -> {
            InputStream in = connection.getInputStream();
            OutputStream out = connection.getOutputStream();
            var request = new byte[MAX_REQUEST];
            boolean goesOn = readRequest(in, request);
            while (goesOn) {
                out.write(answer);
                goesOn = keeps && readRequest(in, request);
            }
        };
    }

    /**
     * Reads to the empty line, at which a client waits for the answer. Returns false if the client has closed the
     * connection.
     */
    private static boolean readRequest(InputStream in, byte[] request) throws IOException {
        int length = 0;
        while (length < END.length || !Arrays.equals(request, length - END.length, length, END, 0, END.length)) {
            if (length == request.length) {
                throw new IOException("a request has more than " + length + " bytes");
            }
            int more = in.read(request, length, request.length - length);
            if (more < 0) {
                return false;
            }
            length += more;
        }
        return true;
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
