package io.fibry.stereotypes;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.net.ConnectionHandler;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A failure in the log names the server and its peer. */
@ExtendWith(NoLeftovers.class)
@Timeout(60)
class ServerLabelsTest {

    private static final ConnectionHandler FAILING = socket -> {
        throw new IllegalStateException("on purpose");
    };

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    private Stereotypes stereotypes(ThreadStrategy strategy) {
        return Stereotypes.with(strategy).in(system);
    }

    private static void awaitLine(LogLines log, String... parts) {
        await().dontCatchUncaughtExceptions()
                .atMost(Duration.ofSeconds(30))
                .until(() -> log.with(parts).size() == 1);
    }

    /** Connects, waits for the end of the connection, and returns the client's address as the server sees it. */
    private static String connect(int port) throws Exception {
        try (var client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertEquals(-1, client.getInputStream().read());
            return "/127.0.0.1:" + client.getLocalPort();
        }
    }

    @AllStrategies
    void aConnection(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = stereotypes(strategy).tcpAcceptor(0, FAILING);
            String client = connect(server.port());
            awaitLine(log, "Actor tcp:" + server.port() + ", connection of " + client + " failed to handle a message");
        }
    }

    @AllStrategies
    void aConnectionOfANamedServer(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = stereotypes(strategy).named("orders").tcpAcceptor(0, FAILING);
            String client = connect(server.port());
            awaitLine(log, "Actor orders, connection of " + client + " failed to handle a message");
        }
    }

    @AllStrategies
    void aConnectionOfLines(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = stereotypes(strategy).lineServer(0, 100, connection -> {
                throw new IllegalStateException("on purpose");
            });
            String client = connect(server.port());
            awaitLine(
                    log, "Actor lines:" + server.port() + ", connection of " + client + " failed to handle a message");
        }
    }

    @AllStrategies
    void aForwardedConnection(ThreadStrategy strategy) throws Exception {
        InetSocketAddress closed;
        try (var socket = new ServerSocket(0)) {
            closed = new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
        }
        try (var log = new LogLines()) {
            var server = stereotypes(strategy).tcpForwarder(0, closed);
            String client = connect(server.port());
            awaitLine(log, "Actor forwarder:" + server.port() + ": the connection of " + client + " broke");
        }
    }

    @AllStrategies
    void anExchange(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = stereotypes(strategy).embeddedHttpServer(0, exchange -> {
                throw new IllegalStateException("on purpose");
            });
            try (var client = new Client(server.port())) {
                client.send("GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        .receiveAll();
            }
            awaitLine(log, "Actor http:" + server.port() + ", exchange with /127.0.0.1:", " failed to handle GET /a");
        }
    }

    @AllStrategies
    void aDatagram(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines();
                var client = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            var server = stereotypes(strategy).udpServer(0, (datagram, sender) -> {
                if (datagram.getLength() == 1) {
                    throw new IllegalStateException("on purpose");
                }
                throw new AssertionError("on purpose");
            });
            var to = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
            String from = "/127.0.0.1:" + client.getLocalPort();
            client.send(new DatagramPacket(new byte[1], 1, to));
            awaitLine(log, "Actor udp:" + server.port() + " failed to handle a datagram of " + from);
            client.send(new DatagramPacket(new byte[2], 2, to));
            awaitLine(log, "Actor udp:" + server.port() + ", datagram of " + from + " failed to handle a message");
        }
    }
}
