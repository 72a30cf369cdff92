package io.fibry.net;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.ForwardingActor;
import io.fibry.StopPhase;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import java.net.ServerSocket;
import java.util.Objects;

/**
 * A TCP server: an actor that accepts connections, each of which runs as an actor of its own, a child. Any thread may use it.
 *
 * <p><b>Threads.</b> The acceptor has a platform thread, whatever its connections run on, because busy virtual threads could
 * keep a virtual one from accepting. This thread keeps the JVM alive until the acceptor has ended, and it is busy: code given
 * to {@link #execute} runs when the acceptor has been stopped and accepts no more.
 *
 * <p><b>Connections.</b> The socket that a handler gets has a buffered input for one thread at a time, which may be read byte
 * by byte, and sends without delay ({@code TCP_NODELAY}). A handler that reads on and on after the end of the input gets an
 * {@link java.io.EOFException} in the end. While as many connections are being handled as the options allow, no other is
 * accepted: the clients wait in the backlog.
 *
 * <p><b>Failures.</b> What a handler throws ends its connection and is logged, and affects no other. An accept that fails is
 * tried again; if it goes on failing, which happens when there are no file descriptors left, one line in the log says so, and
 * the acceptor makes pauses.
 *
 * <p><b>End.</b> A stop closes the listen socket at once, and lets the connections being handled finish. With a harder
 * {@link io.fibry.StopMode} than {@code DRAIN}, to which {@link #close} comes after its deadline, their sockets are closed, so
 * that also a handler that waits for its client ends. When the acceptor has ended, its port is free.
 */
public final class TcpAcceptor extends ForwardingActor<Void> {

    private final int port;

    private TcpAcceptor(Actor<Void> actor, int port) {
        super(actor);
        this.port = port;
    }

    /**
     * Starts an acceptor, which listens when this method returns.
     *
     * @param strategy where the connections get their threads from
     * @param port the port, or 0 for a free one, which {@link #port()} tells
     * @throws IllegalArgumentException if the port is out of range
     * @throws java.io.UncheckedIOException if it cannot listen there, for instance because the port is taken
     * @throws IllegalStateException if the system is closed
     */
    public static TcpAcceptor start(
            ActorSystem system, ThreadStrategy strategy, int port, ConnectionHandler handler, TcpOptions options) {
        Objects.requireNonNull(handler, "handler");
        ActorBuilder connections = system.actor().strategy(strategy);
        Listener listener = Listener.open(port, options);
        var loop = new AcceptLoop(listener, handler, options.maxConnections());
        boolean started = false;
        try {
            Actor<Void> actor = newActor(system, listener, loop);
            actor.execute(() -> loop.run(actor.name(), connections.childOf(actor)));
            started = true;
            return new TcpAcceptor(actor, listener.getLocalPort());
        } finally {
            if (!started) {
                loop.stop();
            }
        }
    }

    private static Actor<Void> newActor(ActorSystem system, ServerSocket listener, AcceptLoop loop) {
        String thread = "fibry-tcp-" + listener.getLocalPort();
        return system.actor()
                .strategy(ThreadStrategy.platform(t -> t.daemon(false).name(thread)))
                .supervision(Supervision.stop()) // better no server than one that does not accept
                .stopPhase(StopPhase.SERVERS)
                .onStopRequested(mode -> loop.stop())
                .newActor(ignored -> {});
    }

    /** The port that the acceptor listens on, or has listened on. */
    public int port() {
        return port;
    }

    @Override
    public TcpAcceptor closeOnExit(AutoCloseable... resources) {
        super.closeOnExit(resources);
        return this;
    }
}
