package io.fibry.http;

import com.sun.net.httpserver.HttpServer;
import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ForwardingActor;
import io.fibry.Metric;
import io.fibry.MetricSource;
import io.fibry.StopMode;
import io.fibry.StopPhase;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.sockets.CauseLog;
import io.fibry.sockets.ClientLog;
import io.fibry.sockets.HandshakeWatch;
import io.fibry.sockets.Ports;
import io.fibry.sockets.ServerNames;
import io.fibry.sockets.SocketCheck;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP server: an actor in front of the JDK's {@link HttpServer}, or of the server of another provider on the class
 * path. Child actors handle the requests, one at a time each. Any thread may use the server.
 *
 * <p><b>Limits.</b> All limits of {@link HttpOptions} are on by default. Requests that are malformed, or that a proxy
 * could read differently, are refused with a status such as 400, and their connection is closed. The connection is also
 * closed after a request with a chunked body.
 *
 * <p><b>Responses.</b> The handler's text is sent as UTF-8 with the status 200 and its length. The {@code Content-Type}
 * is the one that the handler has set, or {@code text/plain}. The response to a {@code HEAD} request has no body.
 *
 * <p><b>Failures.</b> If a handler throws or returns null, the failure is logged with the server's name, at most once a
 * second for each cause, and the client receives the status 500. If an ask of the handler fails, the client receives
 * 504 after a timeout, and 503 with {@code Retry-After} if the actor has stopped or its mailbox is full. If a client
 * has disconnected or is too slow, one line is logged. A TLS handshake that fails is logged with the client's address.
 * Other requests are not affected. If memory runs out in threads of the JDK that the server needs, the server closes
 * its port and its connections, and the actor fails. A supervisor can start it again. If virtual threads can no longer
 * wait for sockets, only a restart of the JVM repairs this, as the message of the failure states.
 *
 * <p><b>Threads.</b> The server has a platform thread, which keeps the JVM alive until the server has ended. This
 * thread checks the timeouts of clients, so code given to {@link #execute} runs only after the server has stopped
 * serving.
 *
 * <p><b>End.</b> After a stop, requests in progress are completed, and new ones get the status 503. When no request is
 * in progress, the connections and the port are closed. With {@link StopMode#DISCARD} or {@link StopMode#INTERRUPT},
 * which {@link #close} uses after its deadline, the connections are closed at once.
 */
public final class HttpServerActor extends ForwardingActor<Void> implements MetricSource {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServerActor.class);

    private final int port;
    private final Responder responder;

    private HttpServerActor(Actor<Void> actor, int port, Responder responder) {
        super(actor);
        this.port = port;
        this.responder = responder;
    }

    /**
     * Starts a server. It listens when this method returns.
     *
     * @param builder its strategy is that of the handlers; without a name, the server has a label of its kind and port,
     *     such as {@code http:8080}
     * @param port the port, or 0 for any free one, which {@link #port()} returns
     * @throws IllegalArgumentException if the port is out of range, the {@code SSLContext} of the options supports
     *     neither TLS 1.2 nor 1.3, or the builder has
     *     {@link ActorBuilder#supervision}
     * @throws java.io.UncheckedIOException if the server cannot listen on the port, for instance because the port is in
     *     use
     * @throws IllegalStateException if the system is closed, the name is taken, or virtual threads cannot wait for
     *     sockets any more because memory has run out in threads of the JDK
     */
    public static HttpServerActor start(
            ActorBuilder<Object> builder, int port, HttpRoutes routes, HttpOptions options) {
        ThreadStrategy strategy = builder.strategy();
        Objects.requireNonNull(routes, "routes");
        InetSocketAddress address = Ports.address(options.bindAddress(), port);
        JdkLimits.set(options);
        var gate = new ExchangeGate(options.maxRequests());
        var deadlines = new ClientDeadlines(options);
        var loop = new HttpServerLoop(gate, deadlines);
        var listensOn = new AtomicInteger(port);
        var clients = new ClientLog(LOG);
        var failures = new CauseLog(LOG);
        ActorBuilder<Object> named = ServerNames.actor(builder, "http", listensOn::get);
        Object label = Objects.requireNonNullElseGet(named.name(), named::label);
        Actor<Void> actor = newActor(named, gate, () -> {
            clients.end();
            failures.end(label.toString());
        });
        Optional<RunningServer> running = Optional.empty();
        try {
            loop.takeOver(actor);
            if (strategy.equals(ThreadStrategy.virtual())) {
                actor.closeOnExit(SocketCheck.register(loop::fail));
            }
            var responder = new Responder(actor, routes, options, gate, deadlines, clients, failures);
            var server = new RunningServer(
                    address,
                    watched(options, responder),
                    responder,
                    new ExchangeRunners(builder.system(), strategy, actor));
            running = Optional.of(server);
            listensOn.set(server.port());
            var http = new HttpServerActor(actor, listensOn.get(), responder);
            http.beFoundByName();
            return http;
        } finally {
            loop.give(running);
            if (running.isEmpty()) {
                actor.stop();
                actor.exit().join(); // short, because the actor is idle; frees the name
            }
        }
    }

    private static HttpOptions watched(HttpOptions options, Responder responder) {
        SSLContext tls = options.tls();
        return tls == null ? options : options.tls(HandshakeWatch.of(tls, responder::handshakeFailed));
    }

    private static Actor<Void> newActor(ActorBuilder<Object> builder, ExchangeGate gate, Runnable atEnd) {
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
                .onStop(exit -> atEnd.run())
                .newActor(ignored -> {});
    }

    /** Returns the port of the server, also after it has ended. */
    public int port() {
        return port;
    }

    /** Returns the counters since the start. */
    public HttpStats stats() {
        return responder.stats();
    }

    @Override
    public List<Metric> metrics() {
        return stats().metrics();
    }

    @Override
    public HttpServerActor closeOnExit(AutoCloseable... resources) {
        super.closeOnExit(resources);
        return this;
    }
}
