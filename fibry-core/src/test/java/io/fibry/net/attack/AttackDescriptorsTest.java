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
    private static final String HELLO = "GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

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

    /** Else the JDK's server might read no connection any more: see {@code JdkLimits}. */
    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void anHttpServerTakesFewerConnectionsThanThereAreDescriptors(String strategy) throws Exception {
        int limit = 400; // a quarter of it is more than the JVM needs
        try (var server = startHttp(strategy, limit)) {
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new Client(server.port()));
            }
            Raw.awaitEnd(clients.getLast()); // refused, and it is the last one that the server accepts
            assertTrue(descriptors(server) < limit, descriptors(server) + " descriptors");
            clients.getFirst().send(HELLO);
            assertTrue(Raw.receiveAll(clients.getFirst()).endsWith("hello"));
            for (Client client : clients) {
                client.close();
            }
            Raw.awaitAnswer(server.port());
            assertEquals(1, server.logLines("suffice for 300 connections"));
        }
    }

    /** The rest of the program may take all descriptors. The JDK's server retries to accept continuously. */
    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void anHttpServerRecoversWhenTheProgramClosesFiles(String strategy) throws Exception {
        try (var server = startHttp(strategy, DESCRIPTORS)) {
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(new Client(server.port()));
                if (i == 10) {
                    server.ask("open files");
                }
                clients.getLast().send(HELLO);
            }
            server.ask("close files");
            for (Client client : clients) {
                assertTrue(Raw.receiveAll(client).endsWith("hello"));
                client.close();
            }
        }
    }

    private static ServerProcess startHttp(String strategy, int limit) throws IOException {
        var server = ServerProcess.startWithDescriptors(
                limit, List.of("-Dtimeout=300"), AttackedHttpServer.class, strategy, "10000");
        Raw.awaitAnswer(server.port()); // loads the classes
        return server;
    }

    private static long descriptors(ServerProcess server) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(server.pid()), "fd"))) {
            return all.count();
        }
    }
}
