package io.fibry.bench.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import eu.lucaventuri.common.ConsumerEx;
import io.fibry.ThreadStrategy;
import io.fibry.bench.peers.Peers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Who serves. Every peer does the same: a handler that reads to the empty line for TCP, a page of one line for HTTP. */
public enum NetPeer {
    /** This library on virtual threads. */
    FIBRY {
        @Override
        int tcp() {
            return Servers.tcp(ThreadStrategy.virtual());
        }

        @Override
        int http() {
            return Servers.http(ThreadStrategy.virtual());
        }
    },
    /** This library on platform threads. */
    FIBRY_THREADS {
        @Override
        int tcp() {
            return Servers.tcp(ThreadStrategy.platform());
        }

        @Override
        int http() {
            return Servers.http(ThreadStrategy.platform());
        }
    },
    /** The library of the article, release 2.4.1, on fibers. */
    FIBRY_2_4_1 {
        @Override
        int tcp() throws IOException {
            int port = Servers.freePort();
            ConsumerEx<Socket, Exception> hello = Servers::hello;
            eu.lucaventuri.fibry.Stereotypes.fibers().tcpAcceptorSilent(port, hello, true, 600_000);
            return port;
        }

        @Override
        int http() throws IOException {
            int port = Servers.freePort();
            eu.lucaventuri.fibry.Stereotypes.fibers()
                    .embeddedHttpServer(
                            port, new eu.lucaventuri.fibry.Stereotypes.HttpStringWorker("/", exchange -> Servers.PAGE));
            return port;
        }

        @Override
        public @Nullable String cannot(NetLoad load) {
            return load == NetLoad.TCP_WARM ? "its acceptor does not outlive a first run of ab" : null;
        }
    },
    /** The JDK alone: a server socket or its {@link com.sun.net.httpserver.HttpServer}, on virtual threads. */
    JDK {
        @Override
        int tcp() throws IOException {
            var server = new ServerSocket(0, 1024);
            Thread.ofPlatform().name("accept").start(() -> Servers.serve(server, Servers::hello));
            return server.getLocalPort();
        }

        @Override
        int http() throws IOException {
            var server = com.sun.net.httpserver.HttpServer.create(new InetSocketAddress(0), 1024);
            server.createContext("/", exchange -> {
                byte[] body = Servers.PAGE.getBytes(UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8"); // as the others do
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.start();
            return server.getAddress().getPort();
        }

        @Override
        public String title() {
            return "JDK alone";
        }
    },
    /** A server in Go, {@code net} and {@code net/http}: the source is in {@code src/main/go}. */
    GO {
        @Override
        int tcp() {
            throw new UnsupportedOperationException("Go runs in no JVM");
        }

        @Override
        int http() {
            throw new UnsupportedOperationException("Go runs in no JVM");
        }

        @Override
        public String title() {
            return "Go";
        }

        @Override
        public @Nullable String cannot(NetLoad load) {
            return Programs.has("go") ? null : "go is not on the PATH; install it from https://go.dev/dl";
        }
    };

    /** Starts the TCP server in this process; the result is its port. */
    abstract int tcp() throws IOException;

    /** Starts the HTTP server in this process; the result is its port. */
    abstract int http() throws IOException;

    /** The name for people; a peer that is also in the benchmarks has it from there. */
    public String title() {
        return Peers.valueOf(name()).title();
    }

    /** Why this server cannot stand such a load here, as a sentence that names what the machine lacks; null if it can. */
    public @Nullable String cannot(NetLoad load) {
        return null;
    }
}
