package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server with 64 MB of heap under siege, which goes on answering others. */
@Timeout(300)
class HttpSiegeTest {

    private static final Logger LOG = LoggerFactory.getLogger(HttpSiegeTest.class);
    private static final String HEAD = " HTTP/1.1\r\nHost: localhost\r\n";

    /** On a busy machine, a request may exceed the short timeout of the server, which then closes the connection. */
    private static void assertAnswers(ServerProcess server) {
        await().pollDelay(Duration.ZERO)
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> Raw.get(server.port(), "/hello").endsWith("\r\n\r\nhello"));
    }

    private static void assertUnharmed(ServerProcess server) throws IOException {
        assertAnswers(server);
        assertEquals(0, server.logLines("OutOfMemoryError"));
        assertEquals(0, server.logLines("failed to handle"));
    }

    /**
     * Slow headers, slow bodies, ranges, and responses read slowly: one after the other, or in the short form all at
     * once.
     */
    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void slowhttptest(String strategy) throws Exception {
        Tools.assumeSlowClientsKeepNoCarrier(strategy);
        String program = Tools.find("slowhttptest", "slowhttptest");
        try (var server = ServerProcess.start(AttackedHttpServer.class, strategy, "1000")) {
            List<String> modes = List.of("-H", "-B", "-R", "-X");
            if (Attack.FULL) {
                for (String mode : modes) {
                    siege(server, program, List.of(mode));
                }
            } else {
                siege(server, program, modes);
            }
            assertUnharmed(server);
        }
    }

    private static void siege(ServerProcess server, String program, List<String> modes) throws IOException {
        List<Process> attackers = new ArrayList<>();
        try {
            for (String mode : modes) {
                attackers.add(slow(program, mode, server.port()));
            }
            var answers = new Slowest();
            do {
                answers.add(() -> assertAnswers(server));
            } while (attackers.stream().anyMatch(Process::isAlive));
            LOG.info("Besieged in the modes {}: {}", modes, answers);
        } finally {
            attackers.forEach(Process::destroy);
        }
    }

    private static Process slow(String program, String mode, int port) throws IOException {
        String connections = Integer.toString(Attack.size(125, 500));
        String page = mode.equals("-X") ? "/stream" : "/large"; // more than the system's buffers hold
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
                        "http://127.0.0.1:" + port + page)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /**
     * Half a request, then silence, the end, or a reset: the first costs a connection for the timeout, the others
     * nothing.
     */
    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void halfARequest(String strategy) throws Exception {
        Tools.assumeSlowClientsKeepNoCarrier(strategy);
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
                    assertFalse(Raw.receiveAll(ending).startsWith("HTTP/1.1 200")); // Java 21 resets
                }
                assertAnswers(server);
            }
            for (Client client : silent) {
                Raw.awaitEnd(client);
                client.close();
            }
            assertUnharmed(server);
            await().atMost(Duration.ofSeconds(60)).until(() -> server.sockets() <= sockets);
        }
    }

    /**
     * The number of computing handlers equals the number of cores. On virtual threads nothing else is then handled, but
     * a server on platform threads answers, and so does the server itself if it is on platform threads. This test
     * waits, and measures no time.
     */
    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void healthIsReportedWhileHandlersSpin(String strategy) throws Exception {
        List<String> patient = List.of("-Dtimeout=120");
        try (var server = ServerProcess.startWith(patient, AttackedHttpServer.class, strategy, "1000")) {
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

    /** The number of handlers that can compute at a time. */
    private static int carriers(String strategy) {
        return strategy.equals("platform")
                ? Integer.MAX_VALUE
                : Integer.getInteger("jdk.virtualThreadScheduler.parallelism", Integer.MAX_VALUE);
    }
}
