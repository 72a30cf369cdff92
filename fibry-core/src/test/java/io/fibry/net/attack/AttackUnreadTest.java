package io.fibry.net.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.net.TcpAcceptor;
import io.fibry.net.TcpOptions;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.ThreadKinds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Clients that send more than the handler reads. Clients that read get the complete answer. Clients that do not read,
 * and clients that send without end, lose their connection.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(300)
class AttackUnreadTest {

    private static final int CLIENTS = Attack.size(60, 1000);
    private static final int ANSWER = 1 << 20;
    private static final int MOST_UNREAD = 100_000;

    @ThreadKinds
    void theAnswerArrivesWhole(ThreadStrategy strategy) throws Exception {
        SplittableRandom random = Attack.random();
        var options = TcpOptions.defaults().idleTimeout(Duration.ofSeconds(2));
        List<Client> deaf = new ArrayList<>();
        List<CompletableFuture<Void>> endless = new ArrayList<>();
        try (var system = ActorSystem.create();
                var acceptor =
                        TcpAcceptor.start(system.actor().strategy(strategy), 0, AttackUnreadTest::answer, options)) {
            for (int i = 0; i < CLIENTS; i++) {
                byte[] unread = new byte[1 + random.nextInt(MOST_UNREAD)];
                try (var client = new Client(acceptor.port())) {
                    assertEquals(ANSWER, client.send(unread).skipAll(), unread.length + " bytes sent");
                }
                if (i % 10 == 0) {
                    deaf.add(new Client(acceptor.port()).send(unread));
                    endless.add(CompletableFuture.runAsync(() -> sendOn(acceptor.port()), Thread::startVirtualThread));
                }
            }
            endless.forEach(CompletableFuture::join);
            assertTrue(acceptor.awaitConnections(0, Duration.ofSeconds(60)));
            for (Client client : deaf) {
                client.close();
            }
        }
    }

    private static void answer(Socket socket) throws IOException {
        socket.getInputStream().read();
        socket.getOutputStream().write(new byte[ANSWER]);
    }

    /** Sends until the server does not accept the data any more. */
    private static void sendOn(int port) {
        byte[] piece = new byte[1 << 13];
        try (var client = new Client(port)) {
            while (true) {
                client.send(piece);
            }
        } catch (SocketException closed) {
            assertTrue(closed.getMessage() != null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
