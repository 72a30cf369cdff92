package io.fibry.bench.net;

import io.fibry.bench.net.IdleClients.Peer;
import java.io.IOException;
import java.net.Socket;

/**
 * The memory of an idle TCP connection, compared with a bare server with a virtual thread per connection. Each client
 * sends a byte and receives it back, so its handler waits for a second byte.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=net.IdleConnections -Dargs="10000 3"}. The
 * arguments are the number of connections and the number of rounds. Both processes require a file descriptor per
 * connection.
 */
final class IdleConnections {

    private IdleConnections() {}

    public static void main(String[] args) throws IOException {
        IdleClients.compare(
                "connections",
                IdleServer.class,
                IdleConnections::sendAByte,
                new Peer("bare virtual threads", NetPeer.JDK.name()),
                new Peer(NetPeer.FIBRY.title(), NetPeer.FIBRY.name()),
                args);
    }

    private static void sendAByte(Socket client) throws IOException {
        client.getOutputStream().write('x');
        if (client.getInputStream().read() != 'x') {
            throw new IOException("a connection was refused; see \"ulimit -n\"");
        }
    }
}
