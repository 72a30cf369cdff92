package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A stop during many downloads: they finish, others get no more data, and endless downloads are cut at the deadline. No
 * resource is left.
 */
@Timeout(300)
class HttpDownloadsTest {

    private static final int DOWNLOADS = Attack.size(50, 1000);
    private static final int ENDLESS = DOWNLOADS / 10;

    /** Time for many simultaneous clients, and the given amount of memory for each of them. */
    private static final List<String> OPTIONS = List.of("-Dtimeout=120", "-Xmx128m");

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void downloadsFinishAndNothingIsLeft(String strategy) throws Exception {
        try (var server = ServerProcess.startWith(OPTIONS, AttackedHttpServer.class, strategy, "2000")) {
            assertTrue(Raw.get(server.port(), "/hello").endsWith("hello"));
            long others = server.sockets() - 2; // the JDK keeps one for its own purposes
            List<Client> downloads = begin(server, DOWNLOADS, "/download");
            List<Client> endless = begin(server, ENDLESS, "/endless");

            assertEquals("false", server.ask("stop"));
            String refusal = Raw.get(server.port(), "/hello");
            assertTrue(refusal.startsWith("HTTP/1.1 503 "), refusal);
            server.ask("go");
            List<CompletableFuture<Long>> sizes = new ArrayList<>();
            for (Client client : downloads) {
                sizes.add(CompletableFuture.supplyAsync(() -> rest(client), Thread::startVirtualThread));
            }
            for (CompletableFuture<Long> size : sizes) {
                assertEquals(AttackedHttpServer.DOWNLOAD, 1 + size.join());
            }
            assertEquals("true", server.ask("close"));
            new ServerSocket(server.port()).close(); // the port is free
            for (Client client : endless) {
                Raw.awaitEnd(client);
                client.close();
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> server.sockets() <= others);
            await().atMost(Duration.ofSeconds(60)).until(() -> server.number("library threads") == 0);
        }
    }

    /** Downloads of which the first byte has been received. */
    private static List<Client> begin(ServerProcess server, int n, String path) throws IOException {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            var client = new Client(server.port());
            client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            String head = Raw.head(client);
            assertTrue(head.startsWith("HTTP/1.1 200 "), head);
            assertEquals("x", client.receive(1));
            clients.add(client);
        }
        return clients;
    }

    private static long rest(Client client) {
        try (client) {
            return client.skipAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
