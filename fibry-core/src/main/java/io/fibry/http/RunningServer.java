package io.fibry.http;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.fibry.dispatch.OutOfMemory;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A running server of the HTTP provider. */
final class RunningServer {

    private static final BiConsumer<HttpServer, Integer> STOP = HttpServer::stop;

    private final ProviderThreads threads;
    private final HttpServer server;
    private final int port;

    /** Starts a server. It listens when this returns. */
    RunningServer(InetSocketAddress address, HttpOptions options, HttpHandler handler, Executor executor) {
        this(new ProviderThreads(), address, options, handler, executor);
    }

    RunningServer(
            ProviderThreads threads,
            InetSocketAddress address,
            HttpOptions options,
            HttpHandler handler,
            Executor executor) {
        this.threads = threads;
        server = threads.start(() -> {
            HttpServer opened = JdkServers.open(address, options);
            JdkServers.start(opened, handler, executor, address);
            return opened;
        });
        port = server.getAddress().getPort();
    }

    int port() {
        return port;
    }

    /** Why the server cannot serve any more; null if it can. */
    @Nullable
    IllegalStateException failure() {
        Error death = threads.death();
        return death == null
                ? null
                : new IllegalStateException(
                        "the HTTP server on port " + port + " has lost a thread of its provider: " + death
                                + "; start the server again, by a supervisor or with the program",
                        death);
    }

    /**
     * Closes the port, waits at most this time for the requests in progress, and closes all connections. Repeats a
     * close that runs out of memory.
     */
    void stop(int seconds) {
        OutOfMemory.repeat(STOP, server, seconds);
    }
}
