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
 * A socket for datagrams. Waiting is left to a selector, which can be woken without closing the socket: a server that drains
 * receives no more, and still sends.
 */
final class UdpSocket implements DatagramHandler.Sender {

    /** More bytes than any datagram has. */
    private static final int LONGEST = 1 << 16;

    private final DatagramChannel channel;
    private final Selector selector;
    private final ByteBuffer buffer; // the receiving thread only, as is the next
    private boolean tooLong;

    /** A socket that listens. Throws {@link java.io.UncheckedIOException} if it cannot, with a message for the user. */
    static UdpSocket open(int port, UdpOptions options) {
        InetSocketAddress address = Ports.address(options.bindAddress(), port);
        try {
            DatagramChannel channel = open(options.group());
            boolean listens = false;
            try {
                listen(channel, address, options);
                var socket = new UdpSocket(channel, options.maxLength());
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
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true); // a group may have several listeners here
            channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, on);
            channel.bind(address);
            channel.join(group, on);
        }
    }

    private UdpSocket(DatagramChannel channel, int maxLength) throws IOException {
        this.channel = channel;
        buffer = ByteBuffer.allocate(
                Math.min(maxLength, LONGEST) + 1); // by the one more one sees that a datagram is longer
        selector = Selector.open();
        channel.register(selector, SelectionKey.OP_READ);
    }

    InetSocketAddress address() {
        var local = channel.socket().getLocalSocketAddress();
        return (InetSocketAddress) local;
    }

    /** Waits until there is a datagram, or until somebody wakes it. */
    void await() throws IOException {
        selector.select();
        selector.selectedKeys().clear();
    }

    /** Has the thread that waits, or the next one that is about to wait, go on. Any thread. */
    void wakeUp() {
        selector.wakeup();
    }

    /** A datagram that has come, or null if there is none. */
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

    /** Whether the last datagram was longer than allowed, and has been cut. */
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
