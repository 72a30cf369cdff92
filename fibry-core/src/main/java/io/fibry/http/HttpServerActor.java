package io.fibry.http;

import com.sun.net.httpserver.HttpServer;
import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.ForwardingActor;
import io.fibry.StopMode;
import io.fibry.StopPhase;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.sockets.Ports;
import io.fibry.sockets.ServerNames;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server: an actor in front of {@link HttpServer}, the JDK's or that of another provider on the class path. Requests
 * are handled by actors, its children, each of which handles one at a time. Any thread may use it.
 *
 * <p><b>Limits.</b> All are on, see {@link HttpOptions}. Requests that are malformed, or ambiguous for those behind a proxy, are
 * refused with the status 400, and their connection is closed. After a request with chunks the connection is closed as well.
 *
 * <p><b>Responses.</b> The handler's text is sent as UTF-8 with the status 200 and its length; a {@code Content-Type} that the
 * handler has set is kept, else it is {@code text/plain}. The response to a {@code HEAD} request has no body.
 *
 * <p><b>Failures.</b> A handler that throws, or returns null, is logged with the server's name, and its client gets the status
 * 500. A client that has gone, or is too slow, is one line in the log. Neither affects another request.
 *
 * <p><b>Threads.</b> The server has a platform thread, which keeps the JVM alive until it has ended. This thread looks
 * after slow clients: code given to {@link #execute} runs when the server has been stopped and serves no more.
 *
 * <p><b>End.</b> After a stop the requests in work are finished, and new ones get the status 503; as soon as none is left, the
 * connections and the port are closed. With a harder {@link StopMode} than {@code DRAIN}, to which {@link #close} comes after
 * its deadline, the connections are closed at once.
 */
public final class HttpServerActor extends ForwardingActor<Void> {

    private final int port;

    private HttpServerActor(Actor<Void> actor, int port) {
        super(actor);
        this.port = port;
    }

    /**
     * Starts a server, which listens when this method returns.
     *
     * @param strategy where the handlers get their threads from
     * @param name the server's name in its system, or null for none: logs then call it by its kind and port
     * @param port the port, or 0 for a free one, which {@link #port()} tells
     * @throws IllegalArgumentException if the port is out of range, or the options have an {@code SSLContext} that speaks
     *     neither TLS 1.2 nor 1.3
     * @throws java.io.UncheckedIOException if it cannot listen there, for instance because the port is taken
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static HttpServerActor start(
            ActorSystem system,
            ThreadStrategy strategy,
            @Nullable String name,
            int port,
            HttpRoutes routes,
            HttpOptions options) {
        Objects.requireNonNull(strategy, "strategy");
        Objects.requireNonNull(routes, "routes");
        InetSocketAddress address = Ports.address(options.bindAddress(), port);
        JdkLimits.set(options);
        var gate = new ExchangeGate(options.maxRequests());
        var deadlines = new ClientDeadlines(options);
        var loop = new HttpServerLoop(gate, deadlines);
        var listensOn = new AtomicInteger(port);
        Actor<Void> actor = newActor(ServerNames.actor(system, name, "http", listensOn::get), gate);
        Optional<HttpServer> running = Optional.empty();
        try {
            loop.takeOver(actor);
            HttpServer server = JdkServers.open(address, options);
            var responder = new Responder(actor, routes, options, gate, deadlines);
            JdkServers.start(server, responder, new ExchangeRunners(system, strategy, actor), address);
            running = Optional.of(server);
            listensOn.set(server.getAddress().getPort());
            return new HttpServerActor(actor, listensOn.get());
        } finally {
            loop.give(running);
            if (running.isEmpty()) {
                actor.stop();
                actor.exit().join(); // soon, since it has nothing to do; then its name is free
            }
        }
    }

    private static Actor<Void> newActor(ActorBuilder<Object> builder, ExchangeGate gate) {
        return builder.strategy(ThreadStrategy.platform(t -> t.daemon(false).name("fibry-http")))
                .supervision(Supervision.stop())
                .stopPhase(StopPhase.SERVERS)
                .onStopRequested(mode -> {
                    if (mode == StopMode.DRAIN) {
                        gate.close();
                    } else {
                        gate.abandon();
                    }
                })
                .newActor(ignored -> {});
    }

    /** The port that the server listens on, or has listened on. */
    public int port() {
        return port;
    }

    @Override
    public HttpServerActor closeOnExit(AutoCloseable... resources) {
        super.closeOnExit(resources);
        return this;
    }
}
