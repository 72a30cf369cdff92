package io.fibry.net.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server with 64 MB of heap under siege, which goes on answering others. */
@Timeout(300)
class HttpSiegeTest {

    private static final String HEAD = " HTTP/1.1\r\nHost: localhost\r\n";

    private static void assertAnswers(ServerProcess server) throws IOException {
        String response = Raw.get(server.port(), "/hello");
        assertTrue(response.endsWith("\r\n\r\nhello"), response);
    }

    private static void assertUnharmed(ServerProcess server) throws IOException {
        assertAnswers(server);
        assertEquals(0, server.logLines("OutOfMemoryError"));
        assertEquals(0, server.logLines("failed to handle"));
    }

    /** Slow headers, slow bodies, ranges, and responses read slowly: one after the other, or in short all at once. */
    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void slowhttptest(String strategy) throws Exception {
        String program = Tools.find("slowhttptest", "slowhttptest");
        try (var server = ServerProcess.start(AttackedHttpServer.class, strategy, "1000")) {
            List<Process> attackers = new ArrayList<>();
            for (String mode : new String[] {"-H", "-B", "-R", "-X"}) {
                attackers.add(slow(program, mode, server.port()));
                if (Attack.FULL) {
                    siege(server, attackers);
                }
            }
            siege(server, attackers);
            assertUnharmed(server);
        }
    }

    private static Process slow(String program, String mode, int port) throws IOException {
        String connections = Integer.toString(Attack.size(125, 500));
        return new ProcessBuilder(
                        program,
                        mode,
                        "-c",
                        connections,
                        "-r",
                        connections,
                        "-i",
                        "1",
                        "-l",
                        Integer.toString(Attack.size(4, 30)),
                        "-u",
                        "http://127.0.0.1:" + port + "/large")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void siege(ServerProcess server, List<Process> attackers) throws IOException {
        int answers = 0;
        while (attackers.stream().anyMatch(Process::isAlive)) {
            assertAnswers(server);
            answers++;
        }
        assertTrue(answers > 0);
    }

    /** Half a request, then silence, the end, or a reset: the first costs a connection for the timeout, the others nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void halfARequest(String strategy) throws Exception {
        try (var server = ServerProcess.start(AttackedHttpServer.class, strategy, "1000")) {
            assertAnswers(server);
            long sockets = server.sockets();
            int n = Attack.size(100, 300);
            List<Client> silent = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                String half =
                        i % 2 == 0 ? "GET / HTTP/1.1\r\nHos" : "POST /" + HEAD + "Content-Length: 10\r\n\r\n12345";
                silent.add(new Client(server.port()).send(half));
                new Client(server.port()).send(half).reset();
                try (var ending = new Client(server.port())) {
                    ending.send(half).end();
                    assertTrue(!ending.receiveAll().startsWith("HTTP/1.1 200"));
                }
                assertAnswers(server);
            }
            for (Client client : silent) {
                Raw.awaitEnd(client);
                client.close();
            }
            assertUnharmed(server);
            assertEquals(sockets, server.sockets(), server.log());
        }
    }

    /** Beyond its connections it closes at once; when they are free again it accepts again. */
    @Test
    void tooManyConnections() throws Exception {
        try (var server = ServerProcess.start(AttackedHttpServer.class, "virtual", "100")) {
            List<Client> held = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                held.add(new Client(server.port()).send("GET / HTTP/1.1\r\n"));
            }
            for (int i = 0; i < Attack.size(500, 20_000); i++) {
                try (var refused = new Client(server.port())) {
                    Raw.awaitEnd(refused);
                }
            }
            for (Client client : held) {
                client.close();
            }
            assertTrue(server.number("heap") < 32 << 20);
            while (!Raw.get(server.port(), "/hello").endsWith("hello")) {
                assertTrue(server.isAlive());
            }
        }
    }

    /** Those under way are finished, and then nothing is left. */
    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void aStopInTheMiddleOfDownloads(String strategy) throws Exception {
        int n = Attack.size(200, 1000);
        try (var server = ServerProcess.startWith(List.of("-Xmx512m"), AttackedHttpServer.class, strategy, "2000")) {
            assertAnswers(server);
            long others = server.sockets() - 2; // the JDK keeps one for its own purposes
            List<Download> downloads = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                downloads.add(Download.begin(server.port()));
            }
            Thread reader = Thread.ofVirtual().unstarted(() -> downloads.forEach(Download::finish));
            reader.start();
            assertEquals("NORMAL", server.ask("close"));
            reader.join();
            assertEquals(n, downloads.stream().filter(Download::isComplete).count());
            assertEquals(others, server.sockets());
            assertEquals(0, server.number("handlers"));
        }
    }

    /** A large response, of which the first part has been received. */
    private static final class Download {

        private final Client client;
        private String received;

        private Download(Client client, String received) {
            this.client = client;
            this.received = received;
        }

        static Download begin(int port) throws IOException {
            var client = new Client(port).send("GET /large" + HEAD + "\r\n");
            return new Download(client, client.receive(1000));
        }

        void finish() {
            try (client) {
                received += client.receiveAll();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        boolean isComplete() {
            return received.length() - received.indexOf("\r\n\r\n") - 4 == 1 << 20;
        }
    }

    /**
     * As many handlers compute as there are cores. On virtual threads nothing else is then handled, but a server on platform
     * threads answers, and so does the server itself if it is on platform threads. This waits, and measures nothing.
     */
    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void healthIsToldWhileHandlersSpin(String strategy) throws Exception {
        try (var server = ServerProcess.start(AttackedHttpServer.class, strategy, "1000")) {
            List<Client> spinning = new ArrayList<>();
            int cores = Runtime.getRuntime().availableProcessors();
            for (int i = 0; i < cores; i++) {
                spinning.add(new Client(server.port()).send("GET /spin" + HEAD + "Connection: close\r\n\r\n"));
                while (server.number("spinning") < Math.min(i + 1, carriers(strategy))) {
                    assertTrue(server.isAlive());
                }
            }
            int port = strategy.equals("platform") ? server.port() : (int) server.number("health port");
            assertTrue(Raw.get(port, "/health").startsWith("HTTP/1.1 200 "));
            assertEquals("yes", server.ask("stop spinning"));
            for (Client client : spinning) {
                assertTrue(client.receiveAll().endsWith("\r\n\r\ndizzy"));
                client.close();
            }
        }
    }

    /** How many handlers can compute at a time. */
    private static int carriers(String strategy) {
        return strategy.equals("platform")
                ? Integer.MAX_VALUE
                : Integer.getInteger("jdk.virtualThreadScheduler.parallelism", Integer.MAX_VALUE);
    }

    @Test
    void failuresAreOfOneRequest() throws Exception {
        try (var server = ServerProcess.start(AttackedHttpServer.class, "virtual", "1000")) {
            for (int i = 0; i < Attack.size(50, 5000); i++) {
                for (String path : new String[] {"/fail", "/error"}) {
                    String response = Raw.get(server.port(), path);
                    assertTrue(response.startsWith("HTTP/1.1 500 "), response);
                    assertTrue(response.endsWith("\r\n\r\nInternal Server Error"), response);
                }
            }
            assertAnswers(server);
        }
    }
}
