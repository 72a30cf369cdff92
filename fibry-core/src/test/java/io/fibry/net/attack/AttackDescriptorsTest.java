package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More connections than there are file descriptors. */
@Timeout(300)
class AttackDescriptorsTest {

    private static final int DESCRIPTORS = 256;
    private static final int CLIENTS = 400;

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void aServerWithoutDescriptorsRecoversWhenTheyAreFree(String strategy) throws Exception {
        try (var server = ServerProcess.startWithDescriptors(
                DESCRIPTORS, List.of(), TcpVictim.class, strategy, "echo", "10000")) {
            try (var client = new Client(server.port())) { // loads the classes, which takes descriptors
                assertEquals("before", client.send("before").end().receiveAll());
            }
            assertEquals("true", server.ask("all gone"));
            assertEquals(0, server.number("failed accepts"));
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new Client(server.port()));
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> server.number("failed accepts") > 2);
            long accepted = server.number("accepted");
            assertTrue(accepted > 100 && accepted < DESCRIPTORS, accepted + " connections");
            assertEquals("x", clients.getFirst().send("x").receive(1));
            assertEquals(1, server.logLines("cannot accept connections"));
            for (Client client : clients) { // in the order in which they were accepted, the last ones at the end
                assertEquals("x", client.send("x").receive(1));
                client.close();
            }
            assertEquals("true", server.ask("all gone"));
            assertEquals(1 + CLIENTS, server.number("accepted"));
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                try (var client = new Client(server.port())) {
                    assertEquals("recovered", client.send("recovered").end().receiveAll());
                }
                return server.logLines("cannot accept connections") == server.logLines("accepts connections again");
            });
        }
    }

    /** The JDK's server retries to accept continuously. No connection is idle long enough to make room for others. */
    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void anHttpServerWithoutDescriptorsRecoversWhenTheyAreFree(String strategy) throws Exception {
        try (var server = ServerProcess.startWithDescriptors(
                DESCRIPTORS, List.of("-Dtimeout=300"), AttackedHttpServer.class, strategy, "10000")) {
            Raw.awaitAnswer(server.port()); // loads the classes
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new Client(server.port()));
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> descriptors(server) >= DESCRIPTORS - 1);
            for (Client client : clients) {
                client.close();
            }
            Raw.awaitAnswer(server.port());
        }
    }

    private static long descriptors(ServerProcess server) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(server.pid()), "fd"))) {
            return all.count();
        }
    }
}
