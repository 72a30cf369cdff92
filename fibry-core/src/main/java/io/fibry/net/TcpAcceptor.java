package io.fibry.net;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorInterruptedException;
import io.fibry.ActorStoppedException;
import io.fibry.ForwardingActor;
import io.fibry.Metric;
import io.fibry.MetricSource;
import io.fibry.StopMode;
import io.fibry.StopPhase;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.dispatch.Durations;
import io.fibry.sockets.Ports;
import io.fibry.sockets.ServerNames;
import io.fibry.sockets.SocketCheck;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * A TCP server: an actor that accepts connections, and runs each as a child actor. Any thread may use it.
 *
 * <p><b>Threads.</b> The acceptor has a platform thread, independent of the strategy of its connections, because busy
 * virtual threads could prevent a virtual thread from accepting. This thread keeps the JVM alive until the acceptor has
 * ended. It accepts connections until the stop, so a task passed to {@link #execute} runs only after the stop.
 *
 * <p><b>Connections.</b> Without TLS, the handler's socket buffers its input, so reading byte by byte is cheap. Only
 * one thread at a time may read. A handler that repeatedly reads after the end of the input finally receives an
 * {@link java.io.EOFException}. With TLS, the handler gets an {@link javax.net.ssl.SSLSocket} after the handshake. The
 * {@link TcpOptions} limit the number of connections. A connection beyond the limit is reset at once and gets no
 * handler.
 *
 * <p><b>Failures.</b> An exception of a handler ends its connection and is logged. Other connections are not affected.
 * A failed accept is counted and retried. While no file descriptors are left, the acceptor pauses between its attempts,
 * and logs that once. If memory has run out in threads of the JDK, and virtual threads therefore cannot wait for
 * sockets, the acceptor closes its port and fails. Only a restart of the JVM repairs this, as the message of the
 * failure states.
 *
 * <p><b>End.</b> A stop closes the listen socket at once. Then it ends the idle connections. A connection is idle if
 * its handler waits in a read, and has read nothing since its last write, or nothing at all. The handler then reads the
 * end of the input, as if the client had disconnected. A client that sends meanwhile may be reset, and lose the part of
 * an answer that it has not read. Other connections continue until they are idle or finished. A
 * {@link io.fibry.StopMode} harder than {@code DRAIN} closes all sockets, which also ends the waits of handlers for
 * their clients. {@link #close} does this after its deadline. When the acceptor has ended, its port is free.
 */
public final class TcpAcceptor extends ForwardingActor<Void> implements MetricSource {

    /** An outage is over after this time without a failed accept. */
    private static final Duration CALM = Duration.ofSeconds(1);

    private final AcceptLoop loop;
    private final OpenConnections connections;
    private final InetSocketAddress address;

    private TcpAcceptor(Actor<Void> actor, AcceptLoop loop, OpenConnections connections, InetSocketAddress address) {
        super(actor);
        this.loop = loop;
        this.connections = connections;
        this.address = address;
    }

    /**
     * Starts an acceptor. It listens when this method returns.
     *
     * @param builder its strategy is that of the connections; without a name, the acceptor has a label of its kind and
     *     port, such as {@code tcp:8080}
     * @param port the port, or 0 for a free one; {@link #port()} returns it
     * @throws IllegalArgumentException if the port is out of range, the TLS context supports neither TLS 1.2 nor
     *     1.3, or the builder has {@link ActorBuilder#supervision}
     * @throws java.io.UncheckedIOException if it cannot listen on the port, for instance because the port is in use
     * @throws IllegalStateException if the system is closed, the name is taken, or virtual threads cannot wait for
     *     sockets any more because memory has run out in threads of the JDK
     */
    public static TcpAcceptor start(
            ActorBuilder<Object> builder, int port, ConnectionHandler handler, TcpOptions options) {
        Objects.requireNonNull(handler, "handler");
        ServerHandler ofSockets = (connection, plain) -> handler.handle(connection);
        return start(builder, TcpKind.SOCKETS, port, ofSockets, options);
    }

    static TcpAcceptor start(
            ActorBuilder<Object> builder, TcpKind kind, int port, ServerHandler handler, TcpOptions options) {
        ThreadStrategy strategy = builder.strategy();
        ActorBuilder<Object> connectionActors = builder.system().actor().strategy(strategy);
        var settings = ConnectionSettings.of(handler, options);
        var connections =
                new OpenConnections(options.maxConnectionsOf(kind), options.maxPerAddress(), kind.quietNanos());
        Listener listener = Listener.open(Ports.address(options.bindAddress(), port), options, connections);
        var address = new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
        var loop = new AcceptLoop(
                settings, connections, listener, () -> Listener.open(address, options, connections), CALM);
        Actor<Void> actor;
        try {
            actor = newActor(
                    ServerNames.actor(builder, kind.label(), address::getPort),
                    address.getPort(),
                    loop,
                    connections,
                    settings);
        } catch (RuntimeException | Error e) {
            loop.stop();
            throw e;
        }
        try {
            if (strategy.equals(ThreadStrategy.virtual())) {
                actor.closeOnExit(SocketCheck.register(loop::fail));
            }
            actor.execute(() -> loop.run(actor.name(), connectionActors.childOf(actor)));
        } catch (RuntimeException | Error e) {
            actor.stop(); // its stop hook stops the loop
            actor.exit().join(); // short, because the actor is idle; frees the name
            throw e;
        }
        var acceptor = new TcpAcceptor(actor, loop, connections, address);
        acceptor.beFoundByName();
        return acceptor;
    }

    private static Actor<Void> newActor(
            ActorBuilder<Object> builder,
            int port,
            AcceptLoop loop,
            OpenConnections connections,
            ConnectionSettings settings) {
        builder.strategy(ThreadStrategy.platform(t -> t.daemon(false).name("fibry-tcp-" + port)))
                .supervision(Supervision.stop()) // a server that does not accept must not seem to run
                .stopPhase(StopPhase.SERVERS)
                .onStopRequested(mode -> {
                    if (mode != StopMode.DRAIN) {
                        connections.countCut();
                    }
                    loop.stop();
                    connections.drain();
                });
        long shortest = settings.shortestNanos(connections.quietNanos());
        if (shortest == 0) {
            return builder.onStop(exit -> connections.reportRest()).newActor(ignored -> {});
        }
        var timer = new ConnectionTimer(connections::checkTime, shortest);
        Actor<Void> actor = builder.onStop(exit -> {
                    timer.stop();
                    connections.reportRest();
                })
                .newActor(ignored -> {});
        timer.start();
        return actor;
    }

    /** Returns the port that the acceptor listens on, or listened on before its stop. */
    public int port() {
        return address.getPort();
    }

    /**
     * Returns the local address and port that it listens on, or listened on before its stop. The wildcard address
     * stands for all.
     */
    public InetSocketAddress address() {
        return address;
    }

    /** Returns the current number of connections. */
    public int connections() {
        return connections.count();
    }

    /** Returns the counters since the start. */
    public TcpStats stats() {
        return connections.stats();
    }

    @Override
    public List<Metric> metrics() {
        return stats().metrics(connections());
    }

    /**
     * Stops listening until {@link #resume}: the operating system refuses new clients, and the port is free. Existing
     * connections continue. Together with {@link #awaitConnections} this drains a server without stopping it. Has no
     * effect if the acceptor is suspended already.
     *
     * @throws ActorStoppedException if the acceptor has been stopped
     */
    public void suspend() {
        checkNotStopped(loop.suspend());
    }

    /**
     * Listens again, on the same address and port. Has no effect if the acceptor is not suspended.
     *
     * @throws java.io.UncheckedIOException if it cannot listen, for instance because the port is in use; the acceptor
     *     stays suspended
     * @throws ActorStoppedException if the acceptor has been stopped
     */
    public void resume() {
        checkNotStopped(loop.resume());
    }

    private void checkNotStopped(boolean running) {
        if (!running) {
            throw new ActorStoppedException("actor " + name() + " has been stopped", null);
        }
    }

    /**
     * Waits until there are at most {@code max} connections, or the timeout has passed. Does not end connections.
     * Unless the acceptor is suspended, new connections may arrive.
     *
     * @return false if the timeout has passed and there are still more connections
     * @throws IllegalArgumentException if the number or the timeout is negative
     * @throws ActorInterruptedException if the thread is interrupted while it waits
     */
    public boolean awaitConnections(int max, Duration timeout) {
        if (max < 0) {
            throw new IllegalArgumentException("cannot wait for " + max + " connections; wait for 0 or more");
        }
        try {
            return connections.awaitAtMost(max, Durations.notNegative("timeout", timeout));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ActorInterruptedException("interrupted while waiting for the connections of actor " + name(), e);
        }
    }

    @Override
    public TcpAcceptor closeOnExit(AutoCloseable... resources) {
        super.closeOnExit(resources);
        return this;
    }
}
