package io.fibry.net;

import io.fibry.sockets.Ports;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;

/**
 * A datagram socket. A selector waits for datagrams, since it can be woken without closing the socket: a draining
 * server receives no more, but still sends.
 */
final class UdpSocket implements DatagramHandler.Sender {

    /** More bytes than any datagram can have. */
    private static final int LONGEST = 1 << 16;

    private final DatagramChannel channel;
    private final Selector selector;
    private final ByteBuffer buffer; // used by the receiving thread only, as is the next
    private boolean tooLong;

    /**
     * Opens a socket that listens. If that fails, throws {@link java.io.UncheckedIOException} with a message for the
     * user.
     */
    static UdpSocket open(int port, UdpOptions options) {
        InetSocketAddress address = Ports.address(options.bindAddress(), port);
        try {
            DatagramChannel channel = open(options.group());
            boolean listens = false;
            try {
                listen(channel, address, options);
                var socket = new UdpSocket(channel, options.maxMessageBytes());
                listens = true;
                return socket;
            } finally {
                if (!listens) {
                    channel.close();
                }
            }
        } catch (IOException e) {
            throw Ports.cannotListen(address, e);
        }
    }

    private static DatagramChannel open(@Nullable InetAddress group) throws IOException {
        if (group == null) {
            return DatagramChannel.open();
        }
        return DatagramChannel.open(
                group instanceof Inet6Address ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
    }

    private static void listen(DatagramChannel channel, InetSocketAddress address, UdpOptions options)
            throws IOException {
        channel.configureBlocking(false);
        InetAddress group = options.group();
        NetworkInterface on = options.groupInterface();
        if (group == null || on == null) {
            channel.bind(address);
        } else {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true); // several processes may join the group
            channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, on);
            channel.bind(address);
            channel.join(group, on);
        }
    }

    private UdpSocket(DatagramChannel channel, int maxMessageBytes) throws IOException {
        this.channel = channel;
        buffer = ByteBuffer.allocate(
                Math.min(maxMessageBytes, LONGEST) + 1); // the extra byte detects a datagram that is too long
        selector = registered(channel, Selector.open());
    }

    /** Registers the channel, and returns the selector. Closes the selector if the registration fails. */
    static Selector registered(DatagramChannel channel, Selector selector) throws IOException {
        boolean registered = false;
        try {
            channel.register(selector, SelectionKey.OP_READ);
            registered = true;
            return selector;
        } finally {
            if (!registered) {
                selector.close();
            }
        }
    }

    InetSocketAddress address() {
        var local = channel.socket().getLocalSocketAddress();
        return (InetSocketAddress) local;
    }

    /** Waits until there is a datagram, or until {@link #wakeUp}. */
    void await() throws IOException {
        selector.select();
        selector.selectedKeys().clear();
    }

    /** Makes the current {@link #await}, or else the next one, return at once. May be called by any thread. */
    void wakeUp() {
        selector.wakeup();
    }

    /** Returns the next datagram, or null if there is none. */
    @Nullable
    DatagramPacket receive() throws IOException {
        buffer.clear();
        SocketAddress sender = channel.receive(buffer);
        if (sender == null) {
            return null;
        }
        tooLong = !buffer.hasRemaining();
        byte[] data = new byte[buffer.flip().remaining()];
        buffer.get(data);
        return new DatagramPacket(data, data.length, sender);
    }

    /** Whether the last datagram was too long, and was truncated. */
    boolean wasTooLong() {
        return tooLong;
    }

    @Override
    public boolean send(byte[] data, SocketAddress to) throws IOException {
        return channel.send(ByteBuffer.wrap(data), to) > 0 || data.length == 0;
    }

    void close() throws IOException {
        try (channel) {
            selector.close();
        }
    }
}
