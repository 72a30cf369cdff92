package io.fibry.examples.tour;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A connection of {@link Load}. Only connecting blocks. */
final class LoadConnection {

    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII);

    private final SocketChannel channel;
    private final ByteBuffer answer = ByteBuffer.allocate(1024);

    private LoadConnection(SocketChannel channel) {
        this.channel = channel;
    }

    static LoadConnection open(InetSocketAddress address, Selector selector) throws IOException {
        var connection = new LoadConnection(SocketChannel.open(address));
        connection.channel.configureBlocking(false);
        connection.channel.register(selector, SelectionKey.OP_READ, connection);
        return connection;
    }

    void request() throws IOException {
        answer.clear();
        channel.write(ByteBuffer.wrap(REQUEST)); // short enough to be written completely
    }

    /** Reads the available bytes. Returns true at the end of the input, or if the buffer is full. */
    boolean receive() throws IOException {
        int count = channel.read(answer);
        return count < 0 || (count == 0 && !answer.hasRemaining());
    }

    boolean hasReceived(byte[] end) {
        int from = answer.position() - end.length;
        return from >= 0 && ByteBuffer.wrap(end).equals(answer.slice(from, end.length));
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
