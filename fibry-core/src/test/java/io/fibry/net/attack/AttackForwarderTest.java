package io.fibry.net.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.net.TcpAcceptor;
import io.fibry.net.TcpForwarder;
import io.fibry.net.TcpOptions;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.ThreadKinds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Forwarded connections of which one side has ended its output and the other is silent, or both sides are silent. The
 * idle timeout ends all of them, on both sides.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(300)
class AttackForwarderTest {

    private static final int CLIENTS = Attack.size(60, 1000);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The actions of the target, and then of the client: some end their output, and some are silent. */
    private static final List<String> KINDS = List.of("ignores, ends", "ignores", "ends", "reads, reset");

    private final CountDownLatch over = new CountDownLatch(1);

    @ThreadKinds
    void halfOfAConnectionIsNotKept(ThreadStrategy strategy) throws Exception {
        SplittableRandom random = Attack.random();
        var options = TcpOptions.defaults().idleTimeout(Duration.ofSeconds(1));
        try (var system = ActorSystem.create();
                var target =
                        TcpAcceptor.start(system.actor().strategy(strategy), 0, this::answer, TcpOptions.defaults());
                var forwarder = TcpForwarder.start(system.actor().strategy(strategy), 0, addressOf(target), options)) {
            List<Client> clients = new ArrayList<>();
            int left = 0; // until the timeout
            for (int i = 0; i < CLIENTS; i++) {
                String kind = Attack.oneOf(KINDS, random);
                var client = new Client(forwarder.port()).send(kind.substring(0, 1));
                assertEquals("x", client.receive(1));
                left += kind.endsWith("reset") ? 0 : 1;
                endOrReset(client, kind);
                clients.add(client);
                assertEchoes(forwarder.port());
            }
            assertTrue(forwarder.awaitConnections(0, PATIENCE));
            long timedOut = forwarder.stats().timedOut();
            assertTrue(timedOut >= left, timedOut + " of " + left);
            for (Client client : clients) {
                client.close();
            }
            assertEchoes(forwarder.port());
            over.countDown();
            assertTrue(target.awaitConnections(0, PATIENCE));
        }
    }

    private static void endOrReset(Client client, String kind) throws IOException {
        if (kind.endsWith(", ends")) {
            client.end();
        } else if (kind.endsWith("reset")) {
            client.reset();
        }
    }

    private static InetSocketAddress addressOf(TcpAcceptor target) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), target.port());
    }

    private static void assertEchoes(int port) throws IOException {
        try (var client = new Client(port)) {
            assertEquals("xhonest", client.send("honest").end().receiveAll());
        }
    }

    /** The target: the first byte selects its action; afterwards it ignores its input, or echoes it. */
    private void answer(Socket socket) throws Exception {
        int wish = socket.getInputStream().read();
        socket.getOutputStream().write('x');
        switch (wish) {
            case 'i' -> over.await();
            case 'e' -> {
                socket.shutdownOutput();
                over.await();
            }
            case 'r' -> socket.getInputStream().readAllBytes();
            default -> {
                socket.getOutputStream().write(wish);
                socket.getInputStream().transferTo(socket.getOutputStream());
            }
        }
    }
}
