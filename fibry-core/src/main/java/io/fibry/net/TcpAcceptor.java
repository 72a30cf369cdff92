package io.fibry.net;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorInterruptedException;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.ForwardingActor;
import io.fibry.StopPhase;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.sockets.Ports;
import io.fibry.sockets.ServerNames;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A TCP server: an actor that accepts connections, each of which runs as an actor of its own, a child. Any thread may use it.
 *
 * <p><b>Threads.</b> The acceptor has a platform thread, whatever its connections run on, because busy virtual threads could
 * keep a virtual one from accepting. This thread keeps the JVM alive until the acceptor has ended, and it is busy: code given
 * to {@link #execute} runs when the acceptor has been stopped and accepts no more.
 *
 * <p><b>Connections.</b> The socket that a handler gets has a buffered input for one thread at a time, which may be read byte
 * by byte. A handler that reads on and on after the end of the input gets an {@link java.io.EOFException} in the end. With TLS
 * it gets an {@link javax.net.ssl.SSLSocket} whose handshake is done. The {@link TcpOptions} limit the number of connections:
 * one too many is reset at once, and does not get a handler.
 *
 * <p><b>Failures.</b> What a handler throws ends its connection and is logged, and affects no other. An accept that fails is
 * counted and tried again. While there are no file descriptors left, the acceptor makes pauses between its attempts, and one
 * line in the log says so.
 *
 * <p><b>End.</b> A stop closes the listen socket at once. Then it ends the connections that are idle: those whose handler waits
 * in a read, and has read nothing since its last write, or nothing at all. Such a handler finds the end of the input, as if
 * the client had hung up. The others may go on until they are idle or finished. With a harder {@link io.fibry.StopMode} than
 * {@code DRAIN}, to which {@link #close} comes after its deadline, the sockets are closed, so that also a handler that waits
 * for its client ends. When the acceptor has ended, its port is free.
 */
public final class TcpAcceptor extends ForwardingActor<Void> {

    /** So long without a failed accept, and the trouble is over. */
    private static final Duration CALM = Duration.ofSeconds(1);

    private final AcceptLoop loop;
    private final Connections connections;
    private final InetSocketAddress address;

    private TcpAcceptor(Actor<Void> actor, AcceptLoop loop, Connections connections, InetSocketAddress address) {
        super(actor);
        this.loop = loop;
        this.connections = connections;
        this.address = address;
    }

    /**
     * Starts an acceptor, which listens when this method returns.
     *
     * @param strategy where the connections get their threads from
     * @param name the server's name in its system, or null for none: logs then call it by its kind and port
     * @param port the port, or 0 for a free one, which {@link #port()} tells
     * @throws IllegalArgumentException if the port is out of range, or the TLS context speaks neither TLS 1.2 nor 1.3
     * @throws java.io.UncheckedIOException if it cannot listen there, for instance because the port is taken
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static TcpAcceptor start(
            ActorSystem system,
            ThreadStrategy strategy,
            @Nullable String name,
            int port,
            ConnectionHandler handler,
            TcpOptions options) {
        return start(system, strategy, name, TcpKind.SOCKETS, port, handler, options);
    }

    static TcpAcceptor start(
            ActorSystem system,
            ThreadStrategy strategy,
            @Nullable String name,
            TcpKind kind,
            int port,
            ConnectionHandler handler,
            TcpOptions options) {
        Objects.requireNonNull(handler, "handler");
        ActorBuilder<Object> actors = system.actor().strategy(strategy);
        var settings = ConnectionSettings.of(handler, options);
        var connections = new Connections(options.maxConnections(), options.maxPerAddress(), kind.quietNanos());
        Listener listener = Listener.open(Ports.address(options.bindAddress(), port), options, connections);
        var address = new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
        var loop = new AcceptLoop(
                settings, connections, listener, () -> Listener.open(address, options, connections), CALM);
        Actor<Void> actor;
        try {
            ActorBuilder<Object> builder = ServerNames.actor(system, name, kind.label(), address::getPort);
            actor = newActor(builder, address.getPort(), loop, connections, settings);
        } catch (RuntimeException | Error e) {
            loop.stop();
            throw e;
        }
        try {
            actor.execute(() -> loop.run(actor.name(), actors.childOf(actor)));
        } catch (RuntimeException | Error e) {
            actor.stop(); // which stops the loop as well
            throw e;
        }
        return new TcpAcceptor(actor, loop, connections, address);
    }

    private static Actor<Void> newActor(
            ActorBuilder<Object> builder,
            int port,
            AcceptLoop loop,
            Connections connections,
            ConnectionSettings settings) {
        builder.strategy(ThreadStrategy.platform(t -> t.daemon(false).name("fibry-tcp-" + port)))
                .supervision(Supervision.stop()) // better no server than one that does not accept
                .stopPhase(StopPhase.SERVERS)
                .onStopRequested(mode -> {
                    loop.stop();
                    connections.drain();
                });
        long shortest = settings.shortestNanos(connections.quietNanos());
        if (shortest == 0) {
            return builder.newActor(ignored -> {});
        }
        var timer = new ConnectionTimer(connections::checkTime, shortest);
        Actor<Void> actor = builder.onStop(timer::stop).newActor(ignored -> {});
        timer.start();
        return actor;
    }

    /** The port that the acceptor listens on, or has listened on. */
    public int port() {
        return address.getPort();
    }

    /** The local address and port that it listens on, or has listened on; the wildcard address if it is all of them. */
    public InetSocketAddress address() {
        return address;
    }

    /** How many connections there are. */
    public int connections() {
        return connections.count();
    }

    /** What it has counted since its start. */
    public TcpStats stats() {
        return connections.stats();
    }

    /**
     * Stops listening for a while: new clients are refused by the operating system, and the port is free. The connections that
     * there are go on. With {@link #awaitConnections} this empties a server that is to go on later. Does nothing if it is
     * suspended already.
     *
     * @throws ActorStoppedException if the acceptor has been stopped
     */
    public void suspend() {
        checkNotStopped(loop.suspend());
    }

    /**
     * Listens again, on the same address and port. Does nothing if it is not suspended.
     *
     * @throws java.io.UncheckedIOException if it cannot, for instance because the port has been taken; it stays suspended
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
     * Waits until there are at most so many connections, or the timeout is over. It ends none, and as long as the acceptor is
     * not suspended, more may come.
     *
     * @return whether there were so few
     * @throws IllegalArgumentException if the number is negative
     * @throws ActorInterruptedException if the thread is interrupted while it waits
     */
    public boolean awaitConnections(int atMost, Duration timeout) {
        if (atMost < 0) {
            throw new IllegalArgumentException("there are never " + atMost + " connections; wait for 0 or more");
        }
        try {
            return connections.awaitAtMost(atMost, timeout);
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
