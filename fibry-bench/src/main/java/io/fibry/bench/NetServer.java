package io.fibry.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import eu.lucaventuri.common.ConsumerEx;
import io.fibry.ThreadStrategy;
import io.fibry.stereotypes.Stereotypes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Executors;

/** The servers of {@link NetComparison}, each in a process of its own. Prints the port when it listens. */
enum NetServer {
    FIBRY_TCP {
        @Override
        int start() {
            return tcp(ThreadStrategy.virtual());
        }
    },
    FIBRY_THREADS_TCP {
        @Override
        int start() {
            return tcp(ThreadStrategy.platform());
        }
    },
    FIBRY_2_4_1_TCP {
        @Override
        int start() throws IOException {
            int port = freePort();
            ConsumerEx<Socket, Exception> hello = NetServer::hello;
            eu.lucaventuri.fibry.Stereotypes.fibers().tcpAcceptorSilent(port, hello, true, 600_000);
            return port;
        }
    },
    FIBRY_HTTP {
        @Override
        int start() {
            return Stereotypes.fibers()
                    .embeddedHttpServer(0, exchange -> "Hello World!")
                    .port();
        }
    },
    FIBRY_2_4_1_HTTP {
        @Override
        int start() throws IOException {
            int port = freePort();
            eu.lucaventuri.fibry.Stereotypes.fibers()
                    .embeddedHttpServer(
                            port,
                            new eu.lucaventuri.fibry.Stereotypes.HttpStringWorker("/", exchange -> "Hello World!"));
            return port;
        }
    },
    JDK_HTTP {
        @Override
        int start() throws IOException {
            HttpServer server = HttpServer.create(new InetSocketAddress(0), 1024);
            server.createContext("/", exchange -> {
                byte[] body = "Hello World!".getBytes(UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.start();
            return server.getAddress().getPort();
        }
    };

    abstract int start() throws IOException;

    public static void main(String[] args) throws IOException, InterruptedException {
        System.out.println(valueOf(args[0]).start());
        Thread.currentThread().join(); // not every peer keeps its JVM alive
    }

    private static int tcp(ThreadStrategy strategy) {
        return Stereotypes.with(strategy)
                .tcpAcceptorSilent(0, NetServer::hello, null)
                .port();
    }

    /** The article's handler. */
    private static void hello(Socket connection) throws IOException {
        try (var is = connection.getInputStream();
                var os = connection.getOutputStream()) {
            while (is.read() != '\n' || is.read() != '\r' || is.read() != '\n') {
                // skip to the end
            }
            os.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!".getBytes(UTF_8));
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
