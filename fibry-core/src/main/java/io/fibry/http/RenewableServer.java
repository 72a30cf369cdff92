package io.fibry.http;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.fibry.dispatch.OutOfMemory;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A running server of the HTTP provider, which can be begun anew on its port. For one thread at a time. */
final class RenewableServer {

    /** Much more than a server needs at its start. */
    private static final int ROOM = 2 << 20;

    private final HttpOptions options;
    private final HttpHandler handler;
    private final Executor executor;
    private final InetSocketAddress address;

    private JdkThreads threads = new JdkThreads();
    private @Nullable HttpServer server; // null after a renewal that failed

    /** Starts a server. It listens when this returns. */
    RenewableServer(InetSocketAddress address, HttpOptions options, HttpHandler handler, Executor executor) {
        this.options = options;
        this.handler = handler;
        this.executor = executor;
        HttpServer first = start(address);
        server = first;
        this.address =
                new InetSocketAddress(address.getAddress(), first.getAddress().getPort());
    }

    private HttpServer start(InetSocketAddress on) {
        return threads.call(() -> {
            HttpServer opened = JdkServers.open(on, options);
            JdkServers.start(opened, handler, executor, on);
            return opened;
        });
    }

    int port() {
        return address.getPort();
    }

    /** Whether the provider's threads have failed, so that {@link #renew} is needed. */
    boolean isDamaged() {
        return server == null || threads.areDamaged();
    }

    /**
     * Closes all connections, and listens anew. If that fails, the server is still damaged. Begins only when there is some memory:
     * if the JDK runs out of it after it has bound the port, it never releases the port.
     *
     * @throws OutOfMemoryError if there is too little memory; nothing has been done then
     */
    void renew() {
        Objects.checkIndex(0, new byte[ROOM].length); // throws if there is no such room
        stop(0);
        threads = new JdkThreads();
        server = start(address);
    }

    /**
     * Closes the port, then all connections; before that, waits at most for some seconds until no request is in progress. Outlasts a
     * full heap. Idempotent.
     */
    void stop(int seconds) {
        while (server != null) {
            try {
                server.stop(seconds);
                server = null;
            } catch (OutOfMemoryError e) {
                OutOfMemory.pause();
            }
        }
    }
}
