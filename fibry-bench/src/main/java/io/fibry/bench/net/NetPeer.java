package io.fibry.bench.net;

import eu.lucaventuri.common.ConsumerEx;
import io.fibry.ThreadStrategy;
import io.fibry.bench.peers.Peers;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The servers. All peers have the same function: a handler that reads to the empty line for TCP, and a page of one line
 * for HTTP. The peers in a JVM share a handler for TCP, except for Pekko.
 */
public enum NetPeer {
    /** This library on virtual threads. */
    FIBRY {
        @Override
        int tcp(boolean keeps) {
            return Servers.tcp(ThreadStrategy.virtual(), Servers.hello(keeps));
        }

        @Override
        int http() {
            return Servers.http(ThreadStrategy.virtual());
        }
    },
    /** This library on platform threads. */
    FIBRY_THREADS {
        @Override
        int tcp(boolean keeps) {
            return Servers.tcp(ThreadStrategy.platform(), Servers.hello(keeps));
        }

        @Override
        int http() {
            return Servers.http(ThreadStrategy.platform());
        }
    },
    /** The library of the article, release 2.4.1, on fibers. */
    FIBRY_2_4_1 {
        @Override
        int tcp(boolean keeps) throws IOException {
            int port = Servers.freePort();
            ConsumerEx<Socket, Exception> hello = Servers.hello(keeps)::handle;
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
            return load == NetLoad.TCP_WARM ? "Its acceptor does not outlive a first run of ab." : null;
        }
    },
    /** The JDK alone: a server socket or its {@link com.sun.net.httpserver.HttpServer}, on virtual threads. */
    JDK {
        @Override
        int tcp(boolean keeps) throws IOException {
            return Servers.bareTcp(Thread::startVirtualThread, Servers.hello(keeps));
        }

        @Override
        int http() throws IOException {
            return Servers.bareHttp(Executors.newVirtualThreadPerTaskExecutor());
        }

        @Override
        public String title() {
            return "JDK alone";
        }
    },
    /** The same on a pool with an unbounded number of platform threads. */
    EXECUTOR_SERVICE {
        @Override
        int tcp(boolean keeps) throws IOException {
            return Servers.bareTcp(Executors.newCachedThreadPool(), Servers.hello(keeps));
        }

        @Override
        int http() throws IOException {
            return Servers.bareHttp(Executors.newCachedThreadPool());
        }

        @Override
        public String title() {
            return "ExecutorService, cached pool";
        }
    },
    /** Pekko: TCP with its own actors. */
    PEKKO {
        @Override
        int tcp(boolean keeps) {
            return PekkoTcp.start(keeps);
        }

        @Override
        public @Nullable String cannot(NetLoad load) {
            return load.isHttp() ? "Its HTTP server is a library of its own, pekko-http." : null;
        }
    },
    /** Coroutines of Kotlin. */
    KOTLIN {
        @Override
        public String cannot(NetLoad load) {
            return "Coroutines and their channels bring no server.";
        }
    },
    /** Jox. */
    JOX {
        @Override
        public String cannot(NetLoad load) {
            return "Channels bring no server.";
        }
    },
    /** Helidon, on which {@link #FIBRY_HELIDON} is built. */
    HELIDON {
        @Override
        int http() {
            return Servers.helidon();
        }

        @Override
        public String title() {
            return "Helidon";
        }
    },
    /** This library's server on Helidon, with all of its limits. */
    FIBRY_HELIDON {
        @Override
        int http() {
            return Servers.fibryHelidon();
        }

        @Override
        public String title() {
            return "Fibry on Helidon";
        }
    },
    /** A server in Go, {@code net} and {@code net/http}: the source is in {@code src/main/go}. */
    GO {
        @Override
        public String title() {
            return "Go";
        }

        @Override
        @Nullable
        String missing(String path) {
            return Programs.missingGo(path);
        }
    };

    /**
     * Starts the TCP server in this process, and returns its port.
     *
     * @param keeps whether it answers more than one request per connection
     */
    int tcp(boolean keeps) throws IOException {
        throw new UnsupportedOperationException(this + " has no TCP server in a JVM");
    }

    /** Starts the HTTP server in this process, and returns its port. */
    int http() throws IOException {
        throw new UnsupportedOperationException(this + " has no HTTP server in a JVM");
    }

    /** Returns the display name, which is shared with the benchmarks. */
    public String title() {
        return Peers.valueOf(name()).title();
    }

    /**
     * Returns the reason for which this server cannot sustain the load on any machine, as a sentence; null if it can.
     */
    public @Nullable String cannot(NetLoad load) {
        return null;
    }

    /** Returns a sentence with the missing programs and their installation, or null if none is missing. */
    public @Nullable String missing() {
        return missing(Programs.path());
    }

    @Nullable
    String missing(String path) {
        return null;
    }
}
