package io.fibry.net;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ForwardingActor;
import io.fibry.Metric;
import io.fibry.MetricSource;
import io.fibry.StopPhase;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.sockets.ServerNames;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A UDP server: an actor that receives datagrams and sends them to a child actor. The child handles them one at a time,
 * in the order in which they arrived. Any thread may use the server.
 *
 * <p><b>Threads.</b> The server has a platform thread, which keeps the JVM alive until the server has ended. This
 * thread receives datagrams until the stop, so a task passed to {@link #execute} runs only after the stop.
 *
 * <p><b>Limits.</b> The {@link UdpOptions} limit the length of a datagram, and the number of datagrams that wait to be
 * handled. A datagram beyond a limit is dropped and counted. Empty datagrams are handled like others.
 *
 * <p><b>Failures.</b> An exception of the handler is logged, and the next datagram is handled.
 *
 * <p><b>End.</b> After a stop, the server receives no more datagrams. Waiting datagrams are still handled, and may be
 * answered. A {@link io.fibry.StopMode} harder than {@code DRAIN} discards them; {@link #close} does this after its
 * deadline. Then the socket is closed, and the port is free.
 */
public final class UdpServer extends ForwardingActor<Void> implements DatagramHandler.Sender, MetricSource {

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
     * Starts a server. It listens when this method returns.
     *
     * @param builder its strategy is that of the handler; without a name, the server has a label of its kind and port,
     *     such as {@code udp:8080}
     * @param port the port, or 0 for a free one; {@link #port()} returns it
     * @throws IllegalArgumentException if the port is out of range, or the builder has
     *     {@link ActorBuilder#supervision}
     * @throws java.io.UncheckedIOException if it cannot listen on the port, for instance because the port is in use
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static UdpServer start(ActorBuilder<Object> builder, int port, DatagramHandler handler, UdpOptions options) {
        Objects.requireNonNull(handler, "handler");
        UdpSocket socket = UdpSocket.open(port, options);
        InetSocketAddress address = socket.address();
        var loop = new UdpLoop(socket, handler, options.maxPending());
        Actor<Void> actor;
        try {
            actor = newActor(ServerNames.actor(builder, "udp", address::getPort), address, socket, loop);
        } catch (RuntimeException | Error e) {
            close(socket);
            throw e;
        }
        try {
            String server = actor.name();
            Actor<DatagramPacket> child = builder.system()
                    .actor()
                    .strategy(builder.strategy())
                    .childOf(actor)
                    .label(loop.label(server))
                    .newActor((DatagramPacket datagram) -> loop.handle(server, datagram));
            actor.execute(() -> loop.run(server, child));
        } catch (RuntimeException | Error e) {
            actor.stop(); // its stop hook closes the socket
            actor.exit().join(); // short, because the actor is idle; frees the port and the name
            throw e;
        }
        var udp = new UdpServer(actor, socket, loop, address);
        udp.beFoundByName();
        return udp;
    }

    private static Actor<Void> newActor(
            ActorBuilder<Object> builder, InetSocketAddress address, UdpSocket socket, UdpLoop loop) {
        return builder.strategy(ThreadStrategy.platform(t -> t.daemon(false).name("fibry-udp-" + address.getPort())))
                .supervision(Supervision.stop()) // a server that does not receive must not seem to run
                .stopPhase(StopPhase.SERVERS)
                .onStopRequested(mode -> loop.stop())
                .onStop(exit -> {
                    close(socket);
                    loop.ended();
                })
                .newActor(ignored -> {});
    }

    private static void close(UdpSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.warn("A datagram socket could not be closed", e);
        }
    }

    /** Returns the port that it listens on, or listened on before its stop. */
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

    /** Returns the counters since the start. */
    public UdpStats stats() {
        return loop.stats();
    }

    @Override
    public List<Metric> metrics() {
        return stats().metrics();
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
