package io.fibry.bench.net;

import io.fibry.bench.net.IdleClients.Peer;
import java.io.IOException;
import java.net.Socket;

/**
 * What an idle TCP connection takes, beside one of a bare server with a virtual thread for each. Each client
 * sends a byte and gets it back, so its handler waits in a read of the second one.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=net.IdleConnections -Dargs="10000 3"}. The arguments
 * are how many connections, and how many rounds. Both processes need a file descriptor for each connection.
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
