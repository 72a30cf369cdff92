package io.fibry.helidon;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ForwardingActor;
import io.fibry.StopMode;
import io.fibry.StopPhase;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.sockets.CauseLog;
import io.fibry.sockets.ClientLog;
import io.fibry.sockets.Ports;
import io.fibry.sockets.ServerNames;
import io.fibry.sockets.SocketCheck;
import io.helidon.webserver.WebServer;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server for WebSocket, HTTP/1.1, HTTP/2 and server-sent events: an actor in front of Helidon's {@link WebServer}.
 * Any thread may use it.
 *
 * <p><b>Threads.</b> Helidon runs each connection on a virtual thread. The server has a platform thread, which keeps
 * the JVM alive until the server has ended. This thread checks the timeouts of WebSockets, so code given to {@link
 * #execute} runs only after the server has stopped serving.
 *
 * <p><b>Failure.</b> If virtual threads can no longer wait for sockets, because memory has run out in threads of the
 * JDK, the server closes its port and its connections, and the actor fails. Only a restart of the JVM repairs this.
 *
 * <p><b>End.</b> After a stop, requests in progress are completed, and new ones get the status 503. WebSocket sessions
 * send the accepted messages, and then a close frame with the status 1001; streams of events end. When nothing is left,
 * the connections and the port are closed. With {@link StopMode#DISCARD} or {@link StopMode#INTERRUPT}, which {@link
 * #close} uses after its deadline, the connections are closed at once.
 */
public final class HelidonServer extends ForwardingActor<Void> {

    private static final Logger LOG = LoggerFactory.getLogger(HelidonServer.class);

    private final int port;
    private final Gate gate;

    private HelidonServer(Actor<Void> actor, int port, Gate gate) {
        super(actor);
        this.port = port;
        this.gate = gate;
    }

    /** Starts a server with the default limits. It listens when this method returns. */
    public static HelidonServer start(ActorBuilder<Object> builder, int port, HelidonRoutes routes) {
        return start(builder, port, routes, HelidonOptions.defaults());
    }

    /**
     * Starts a server. It listens when this method returns.
     *
     * @param builder its strategy has no effect, since handlers run on the virtual threads of Helidon; without a name,
     *     the server has a label of its kind and port, such as {@code helidon:8080}
     * @param port the port, or 0 for any free one, which {@link #port()} returns
     * @throws IllegalArgumentException if the port is out of range
     * @throws java.io.UncheckedIOException if the server cannot listen on the port, for instance because the port is in
     *     use
     * @throws IllegalStateException if the system is closed, the name is taken, or virtual threads cannot wait for
     *     sockets any more because memory has run out in threads of the JDK
     */
    public static HelidonServer start(
            ActorBuilder<Object> builder, int port, HelidonRoutes routes, HelidonOptions options) {
        InetSocketAddress address = Ports.address(options.bindAddress(), port);
        var gate = new Gate(options.maxRequests());
        var clients = new Clients();
        var loop = new ServerLoop(gate, clients, Engine.tick(routes));
        var log = new ClientLog(LOG);
        var failures = new CauseLog(LOG);
        var listensOn = new AtomicInteger(port);
        Actor<Void> actor = newActor(builder, listensOn, gate, clients, log, failures);
        Optional<WebServer> running = Optional.empty();
        try {
            loop.takeOver(actor);
            actor.closeOnExit(SocketCheck.register(loop::fail));
            WebServer server = Engine.start(
                    address, routes, options, new ServerParts(builder.system(), actor, gate, clients, log, failures));
            running = Optional.of(server);
            listensOn.set(server.port());
            return new HelidonServer(actor, server.port(), gate);
        } finally {
            loop.give(running);
            if (running.isEmpty()) {
                gate.abandon();
                actor.stop();
                actor.exit().join(); // short, because no request is in progress; frees the name
            }
        }
    }

    private static Actor<Void> newActor(
            ActorBuilder<Object> builder,
            AtomicInteger port,
            Gate gate,
            Clients clients,
            ClientLog log,
            CauseLog failures) {
        ActorBuilder<Object> named = ServerNames.actor(builder, "helidon", port::get);
        Object label = Objects.requireNonNullElseGet(named.name(), named::label);
        return named.strategy(ThreadStrategy.platform(t -> t.daemon(false).name("fibry-helidon")))
                .supervision(Supervision.stop())
                .stopPhase(StopPhase.SERVERS)
                .onStopRequested(mode -> {
                    if (mode == StopMode.DRAIN) {
                        gate.close();
                        clients.goAway();
                    } else {
                        gate.abandon();
                    }
                })
                .onStop(exit -> {
                    log.end();
                    failures.end(label);
                })
                .newActor(ignored -> {});
    }

    /** The port of the server, also after it has ended. */
    public int port() {
        return port;
    }

    /** The number of open WebSocket sessions. */
    public int sessions() {
        return gate.sessions();
    }

    @Override
    public HelidonServer closeOnExit(AutoCloseable... resources) {
        super.closeOnExit(resources);
        return this;
    }
}
