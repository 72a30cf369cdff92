package io.fibry.net.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.awaitility.Awaitility.await;

import io.fibry.testing.Client;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Unmodified requests, byte by byte. */
final class Raw {

    private static final Logger LOG = LoggerFactory.getLogger(Raw.class);

    private Raw() {}

    /**
     * Returns all data that the server sends until it closes the connection, or resets it because it does not read on.
     */
    static String exchange(int port, byte[] request, int piece) throws IOException {
        var received = new ByteArrayOutputStream();
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(40_000);
            socket.setTcpNoDelay(true);
            try {
                for (int i = 0; i < request.length; i += piece) {
                    socket.getOutputStream().write(request, i, Math.min(piece, request.length - i));
                }
                socket.getInputStream().transferTo(received);
            } catch (SocketException reset) {
                LOG.debug("refused before all was sent", reset);
            }
        }
        return received.toString(ISO_8859_1);
    }

    /** Sends this, if the server has not yet closed the connection. */
    static void trySend(Client client, String text) throws IOException {
        try {
            client.send(text);
        } catch (SocketException refused) {
            LOG.debug("refused", refused);
        }
    }

    /** Waits until the server has ended the connection, in order or not. */
    static void awaitEnd(Client client) throws IOException {
        receiveAll(client);
    }

    /** Everything up to the end, or nothing if the server has reset the connection. */
    static String receiveAll(Client client) throws IOException {
        try {
            return client.receiveAll();
        } catch (SocketException reset) {
            LOG.debug("reset", reset);
            return "";
        }
    }

    /** The status line and the headers of a response that begins. */
    static String head(Client client) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            String more = client.receive(1);
            if (more.isEmpty()) {
                throw new EOFException("after: " + head);
            }
            head.append(more);
        }
        return head.toString();
    }

    /** Until the server has room for one more connection and answers. */
    static void awaitAnswer(int port) {
        await().pollDelay(Duration.ZERO)
                .atMost(Duration.ofSeconds(60))
                .until(() -> get(port, "/hello").endsWith("\r\n\r\nhello"));
    }

    static String get(int port, String path) throws IOException {
        return exchange(
                port,
                ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").getBytes(ISO_8859_1),
                Integer.MAX_VALUE);
    }
}
