package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A stop during many downloads: idle connections end at once, downloads finish, and endless downloads are cut at the
 * deadline. No resource is left.
 */
@Timeout(300)
class AttackStopTest {

    private static final int DOWNLOADS = Attack.size(100, 1000);
    private static final int IDLE = DOWNLOADS / 10;
    private static final int ENDLESS = DOWNLOADS / 10;

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void downloadsFinishAndNothingIsLeft(String strategy) throws Exception {
        try (var server = ServerProcess.start(TcpVictim.class, strategy, "download")) {
            long sockets = server.sockets();
            long threads = server.number("library threads");
            List<Client> downloads = clients(server, DOWNLOADS, "y");
            List<Client> endless = clients(server, ENDLESS, "n");
            List<Client> idle = clients(server, IDLE, "");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> server.number("connections") == DOWNLOADS + ENDLESS + IDLE);

            assertEquals("false", server.ask("stop"));
            for (Client client : idle) {
                assertEquals("", client.receiveAll());
                client.close();
            }
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThrows(ConnectException.class, () -> new Client(server.port()).close()));
            server.ask("go");
            List<CompletableFuture<Long>> sizes = new ArrayList<>();
            for (Client client : downloads) {
                sizes.add(CompletableFuture.supplyAsync(() -> size(client), Thread::startVirtualThread));
            }
            for (CompletableFuture<Long> size : sizes) {
                assertEquals(TcpVictim.DOWNLOAD, size.join());
            }
            assertEquals("true", server.ask("close"));
            assertEquals(0, server.number("connections"));
            new ServerSocket(server.port()).close(); // the port is free
            for (Client client : endless) {
                assertTrue(isCut(client));
                client.close();
            }
            // Of the two servers in that process, one is left.
            await().atMost(Duration.ofSeconds(60)).until(() -> server.sockets() == sockets - 1);
            int ended = strategy.equals("virtual") ? 2 : 1; // with the last such server, the check of sockets ends
            await().atMost(Duration.ofSeconds(60)).until(() -> server.number("library threads") == threads - ended);
        }
    }

    private static List<Client> clients(ServerProcess server, int n, String wish) throws IOException {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            var client = new Client(server.port()).send(wish);
            client.receive(wish.length());
            clients.add(client);
        }
        return clients;
    }

    private static long size(Client client) {
        try (client) {
            return client.skipAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isCut(Client client) {
        try {
            return client.skipAll() == 0;
        } catch (IOException reset) {
            return true;
        }
    }
}
