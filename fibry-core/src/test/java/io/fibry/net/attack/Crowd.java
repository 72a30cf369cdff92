package io.fibry.net.attack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Many clients of one server that send the same, and close their connections together. */
final class Crowd implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Crowd.class);

    private final InetSocketAddress server;
    private final byte[] request;
    private final Selector answers;
    private final List<SocketChannel> clients = new ArrayList<>();

    Crowd(int port, byte[] request) throws IOException {
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.request = request;
        answers = Selector.open();
    }

    /** Connects this number of further clients. The server may refuse them. */
    void grow(int more) throws IOException {
        for (int i = 0; i < more; i++) {
            var client = SocketChannel.open();
            clients.add(client);
            try {
                client.connect(server);
                client.write(ByteBuffer.wrap(request));
                client.configureBlocking(false);
                client.register(answers, SelectionKey.OP_READ);
            } catch (IOException refused) {
                LOG.debug("refused", refused);
            }
        }
    }

    /** Waits until the server answers one of them. If none of them is answered in this time, the server is too busy. */
    void awaitAnyAnswer(long millis) throws IOException {
        var buffer = ByteBuffer.allocate(1);
        long end = System.nanoTime() + millis * 1_000_000;
        boolean answered = false;
        for (long left = millis; left > 0 && !answered; left = (end - System.nanoTime()) / 1_000_000) {
            answers.select(left);
            for (SelectionKey key : answers.selectedKeys()) {
                answered |= read((SocketChannel) key.channel(), buffer.clear()) > 0;
            }
            answers.selectedKeys().clear();
        }
    }

    private static int read(SocketChannel client, ByteBuffer buffer) throws IOException {
        int n = -1;
        try {
            n = client.read(buffer);
        } catch (IOException reset) {
            LOG.debug("reset", reset);
        }
        if (n < 0) {
            client.close();
        }
        return n;
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel client : clients) {
            client.close();
        }
        answers.close();
    }
}
