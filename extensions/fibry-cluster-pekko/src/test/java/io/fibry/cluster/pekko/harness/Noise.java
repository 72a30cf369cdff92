package io.fibry.cluster.pekko.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Random;

/** Connections to a node with unknown protocols. */
public final class Noise {

    private static final int PATIENCE = 200;

    private Noise() {}

    /** Opens this number of connections, which send random bytes and plain text in turn. */
    public static void send(String host, int port, int connections) throws IOException {
        var random = new Random(connections);
        byte[] bytes = new byte[4096];
        for (int i = 0; i < connections; i++) {
            random.nextBytes(bytes);
            try (var socket = new Socket()) {
                socket.connect(new InetSocketAddress(host, port));
                socket.getOutputStream().write(i % 2 == 0 ? bytes : "GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8));
                awaitEnd(socket);
            }
        }
    }

    /** Waits for the reaction of the node, which may answer, close the connection, or wait for more. */
    private static void awaitEnd(Socket socket) throws IOException {
        socket.setSoTimeout(PATIENCE);
        try {
            long unused = socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (SocketTimeoutException | SocketException e) {
            socket.close();
        }
    }
}
