package io.fibry.cluster.pekko.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.pekko.harness.Proxy.State;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server on 127.0.0.1 behind the proxy, and clients with other addresses. */
@Timeout(60)
class ProxyTest {

    private static final String SERVER = "127.0.0.1";
    private static final String ONE = "127.0.0.2";
    private static final String OTHER = "127.0.0.3";

    /**
     * The time to wait for bytes that must not arrive. On a slow machine, the test becomes weaker but does not fail.
     */
    private static final int NOTHING_COMES = 300;

    private final Proxy proxy = new Proxy();
    private ServerSocket server;
    private int port;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, Ports.address(SERVER));
        port = Ports.free(SERVER);
        proxy.listen(SERVER, port, server.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        server.close();
    }

    private Socket connect(String from) throws IOException {
        var socket = new Socket();
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(Ports.address(SERVER), port));
        return socket;
    }

    private static void assertNothingComes(Socket socket) throws IOException {
        socket.setSoTimeout(NOTHING_COMES);
        assertThrows(SocketTimeoutException.class, () -> socket.getInputStream().read());
        socket.setSoTimeout(0);
    }

    @Test
    void bytesGoInBothDirections() throws Exception {
        try (Socket client = connect(ONE);
                Socket accepted = server.accept()) {
            client.getOutputStream().write(1);
            assertEquals(1, accepted.getInputStream().read());
            accepted.getOutputStream().write(2);
            assertEquals(2, client.getInputStream().read());
            client.shutdownOutput(); // closes only one direction
            assertEquals(-1, accepted.getInputStream().read());
            accepted.getOutputStream().write(3);
            assertEquals(3, client.getInputStream().read());
            assertEquals(3, proxy.bytes(ONE, SERVER));
        }
    }

    @Test
    void heldBytesComeLater() throws Exception {
        try (Socket client = connect(ONE);
                Socket accepted = server.accept();
                Socket otherClient = connect(OTHER);
                Socket otherAccepted = server.accept()) {
            proxy.set(SERVER, ONE, State.HELD);
            client.getOutputStream().write(1);
            accepted.getOutputStream().write(2);
            assertNothingComes(accepted);
            assertNothingComes(client);
            otherClient.getOutputStream().write(3); // other pairs are not affected
            assertEquals(3, otherAccepted.getInputStream().read());
            proxy.openAll();
            assertEquals(1, accepted.getInputStream().read());
            assertEquals(2, client.getInputStream().read());
        }
    }

    @Test
    void aGateHoldsOneDirection() throws Exception {
        try (Socket client = connect(ONE);
                Socket accepted = server.accept()) {
            proxy.setOneWay(ONE, SERVER, State.HELD);
            client.getOutputStream().write(1);
            assertNothingComes(accepted);
            accepted.getOutputStream().write(2);
            assertEquals(2, client.getInputStream().read());
            proxy.openAll();
            assertEquals(1, accepted.getInputStream().read());
        }
    }

    @Test
    void slowBytesComeLater() throws Exception {
        try (Socket client = connect(ONE);
                Socket accepted = server.accept()) {
            proxy.set(ONE, SERVER, State.SLOW);
            long start = System.nanoTime();
            client.getOutputStream().write(1);
            assertEquals(1, accepted.getInputStream().read());
            assertTrue(System.nanoTime() - start >= 50_000_000);
        }
    }

    @Test
    void aConnectionMadeWhileAllIsHeldComesLater() throws Exception {
        proxy.set(ONE, SERVER, State.HELD);
        try (Socket client = connect(ONE)) {
            client.getOutputStream().write(1);
            server.setSoTimeout(NOTHING_COMES);
            assertThrows(SocketTimeoutException.class, () -> server.accept());
            server.setSoTimeout(0);
            proxy.set(ONE, SERVER, State.OPEN);
            try (Socket accepted = server.accept()) {
                assertEquals(1, accepted.getInputStream().read());
            }
        }
    }

    @Test
    void aCutClosesConnectionsAndNewOnes() throws Exception {
        try (Socket client = connect(ONE);
                Socket accepted = server.accept();
                Socket otherClient = connect(OTHER);
                Socket otherAccepted = server.accept()) {
            proxy.set(ONE, SERVER, State.CUT);
            assertEquals(-1, accepted.getInputStream().read());
            assertEquals(-1, client.getInputStream().read());
            try (Socket again = connect(ONE)) {
                assertEquals(-1, again.getInputStream().read());
            }
            otherClient.getOutputStream().write(3);
            assertEquals(3, otherAccepted.getInputStream().read());
            proxy.openAll();
            try (Socket again = connect(ONE);
                    Socket acceptedAgain = server.accept()) {
                again.getOutputStream().write(4);
                assertEquals(4, acceptedAgain.getInputStream().read());
            }
        }
    }

    @Test
    void aNodeThatDoesNotListenClosesItsConnections() throws Exception {
        server.close();
        try (Socket client = connect(ONE)) {
            assertEquals(-1, client.getInputStream().read());
        }
    }
}
