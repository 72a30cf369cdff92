package io.fibry.bench.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fibry.bench.net.IdleClients.Peer;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;

/**
 * The memory of an idle WebSocket, compared with Helidon alone. Each client sends a message of one letter and receives
 * it back.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=net.IdleWebSockets -Dargs="10000 3"}. The
 * arguments are the number of WebSockets and the number of rounds. Both processes require a file descriptor per
 * WebSocket.
 */
final class IdleWebSockets {

    // Masked with zeros, which the protocol permits.
    private static final byte[] LETTER = {(byte) 0x81, (byte) 0x81, 0, 0, 0, 0, 'x'};

    private IdleWebSockets() {}

    public static void main(String[] args) throws IOException {
        IdleClients.compare(
                "WebSockets",
                WebSocketServers.class,
                IdleWebSockets::sendALetter,
                new Peer("Helidon alone", "helidon"),
                new Peer("fibry-helidon", "fibry"),
                args);
    }

    private static void sendALetter(Socket client) throws IOException {
        upgrade(client, "/echo");
        client.getOutputStream().write(LETTER);
        client.getInputStream().readNBytes(LETTER.length - 4); // a server does not mask
    }

    /** Makes a connection a WebSocket. */
    static void upgrade(Socket client, String path) throws IOException {
        String request = String.join(
                "\r\n",
                "GET " + path + " HTTP/1.1",
                "Host: localhost",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "",
                "");
        client.getOutputStream().write(request.getBytes(ISO_8859_1));
        skipHead(client);
    }

    private static void skipHead(Socket client) throws IOException {
        for (int ends = 0; ends < 4; ) {
            int b = client.getInputStream().read();
            if (b < 0) {
                throw new EOFException("a client was refused; see \"ulimit -n\"");
            }
            ends = b == '\r' || b == '\n' ? ends + 1 : 0;
        }
    }
}
