package io.fibry.net;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.ForwardingActor;
import io.fibry.StopPhase;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.sockets.ServerNames;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A UDP server: an actor that receives datagrams, and a child of it whose messages they are, so that they are handled one at
 * a time and in the order in which they came. Any thread may use it.
 *
 * <p><b>Threads.</b> The server has a platform thread, which keeps the JVM alive until the server has ended, and which is
 * busy: code given to {@link #execute} runs when the server has been stopped and receives no more.
 *
 * <p><b>Limits.</b> The {@link UdpOptions} limit how long a datagram may be, and how many may wait to be handled. Whatever is
 * beyond that is dropped and counted, as the network itself would drop it. Empty datagrams are not seen.
 *
 * <p><b>Failures.</b> What a handler throws is logged, and the next datagram is handled all the same.
 *
 * <p><b>End.</b> A stop ends the receiving at once. The datagrams that wait are handled, and may be answered, unless the
 * {@link io.fibry.StopMode} is harder than {@code DRAIN}; {@link #close} comes to that after its deadline. Then the socket is
 * closed, and the port is free.
 */
public final class UdpServer extends ForwardingActor<Void> implements DatagramHandler.Sender {

    private static final Logger LOG = LoggerFactory.getLogger(UdpServer.class);

    private final UdpSocket socket;
    private final UdpLoop loop;
    private final InetSocketAddress address;

    private UdpServer(Actor<Void> actor, UdpSocket socket, UdpLoop loop, InetSocketAddress address) {
        super(actor);
        this.socket = socket;
        this.loop = loop;
        this.address = address;
    }

    /**
     * Starts a server, which listens when this method returns.
     *
     * @param strategy where the handler gets its thread from
     * @param name the server's name in its system, or null for none: logs then call it by its kind and port
     * @param port the port, or 0 for a free one, which {@link #port()} tells
     * @throws IllegalArgumentException if the port is out of range
     * @throws java.io.UncheckedIOException if it cannot listen there, for instance because the port is taken
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static UdpServer start(
            ActorSystem system,
            ThreadStrategy strategy,
            @Nullable String name,
            int port,
            DatagramHandler handler,
            UdpOptions options) {
        Objects.requireNonNull(strategy, "strategy");
        Objects.requireNonNull(handler, "handler");
        UdpSocket socket = UdpSocket.open(port, options);
        InetSocketAddress address = socket.address();
        var loop = new UdpLoop(socket, handler, options.maxPending());
        boolean started = false;
        try {
            Actor<Void> actor =
                    newActor(ServerNames.actor(system, name, "udp", address::getPort), address, socket, loop);
            String server = actor.name();
            Actor<DatagramPacket> child = system.actor()
                    .strategy(strategy)
                    .childOf(actor)
                    .label(loop.label(server))
                    .newActor((DatagramPacket datagram) -> loop.handle(server, datagram));
            actor.execute(() -> loop.run(server, child));
            started = true;
            return new UdpServer(actor, socket, loop, address);
        } finally {
            if (!started) {
                close(socket);
            }
        }
    }

    private static Actor<Void> newActor(
            ActorBuilder<Object> builder, InetSocketAddress address, UdpSocket socket, UdpLoop loop) {
        return builder.strategy(ThreadStrategy.platform(t -> t.daemon(false).name("fibry-udp-" + address.getPort())))
                .supervision(Supervision.stop()) // better no server than one that does not receive
                .stopPhase(StopPhase.SERVERS)
                .onStopRequested(mode -> loop.stop())
                .onStop(() -> close(socket))
                .newActor(ignored -> {});
    }

    private static void close(UdpSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.warn("A socket for datagrams was not closed in order", e);
        }
    }

    /** The port that it listens on, or has listened on. */
    public int port() {
        return address.getPort();
    }

    /** The local address and port that it listens on, or has listened on; the wildcard address if it is all of them. */
    public InetSocketAddress address() {
        return address;
    }

    /** What it has counted since its start. */
    public UdpStats stats() {
        return loop.stats();
    }

    @Override
    public boolean send(byte[] data, SocketAddress to) throws IOException {
        return socket.send(data, to);
    }

    @Override
    public UdpServer closeOnExit(AutoCloseable... resources) {
        super.closeOnExit(resources);
        return this;
    }
}
