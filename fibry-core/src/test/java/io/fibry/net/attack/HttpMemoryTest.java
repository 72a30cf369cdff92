package io.fibry.net.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The handlers of an HTTP server use up all memory, until their clients close their connections. Then every server
 * serves again, and closes. A server that has lost a thread of its provider fails, and another one replaces it. If it
 * cannot be replaced, the process ends.
 */
@Timeout(600)
class HttpMemoryTest {

    private static final int ROUNDS = Attack.size(2, 20);
    private static final int CLIENTS = 200;
    private static final int LATE_CLIENTS = 20;
    /** In milliseconds. The handler that notices that the heap is full may have no memory for an answer. */
    private static final int FULL_WITHIN = Attack.size(3_000, 10_000);

    private static final int WITNESSES = 10;
    private static final byte[] KEEP =
            "POST /keep HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nx".getBytes(US_ASCII);
    private static final String HELLO = "GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    @ParameterizedTest
    @CsvSource({"platform, part", "platform, whole"})
    void serversServeAgainAndClose(String strategy, String taken) throws Exception {
        try (var server = ServerProcess.startWith(List.of("-Xss512k"), HttpMemoryVictim.class, strategy, taken)) {
            int other = Integer.parseInt(server.ask("other port"));
            awaitAnswers(
                    server,
                    server.port()); // the JDK's code is linked at its first use, which fails permanently in a full heap
            for (int i = 0; i < ROUNDS; i++) {
                exhaust(server.port(), other);
                awaitAnswers(server, server.port());
                awaitAnswers(server, other);
                if (!server.isAlive()) {
                    assertHasFailed(server);
                    return;
                }
            }
            String closed;
            try {
                closed = server.ask("close");
            } catch (IOException e) { // the process may end at any moment
                assertHasFailed(server);
                return;
            }
            assertEquals("true", closed, server.log());
            assertEquals(0, server.awaitEnd(), server.log());
        }
    }

    private static void assertHasFailed(ServerProcess server) throws Exception {
        assertEquals(MemoryVictim.FAILED, server.awaitExit(), server.log());
    }

    private static void exhaust(int port, int other) throws IOException {
        try (var crowd = new Crowd(port, KEEP);
                var late = new Crowd(other, KEEP)) {
            crowd.grow(CLIENTS);
            crowd.awaitAnyAnswer(FULL_WITHIN);
            late.grow(LATE_CLIENTS);
            crowd.grow(LATE_CLIENTS);
            late.awaitAnyAnswer(200);
        }
    }

    /**
     * Waits for answers, or for the end of the process. A server that is started again cuts the connections that it has
     * at that moment, so an attempt may fail.
     */
    private static void awaitAnswers(ServerProcess server, int port) throws IOException {
        try {
            await().pollDelay(Duration.ZERO)
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptionsMatching(IOException.class::isInstance)
                    .until(() -> !server.isAlive() || allAnswered(port));
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("no answers: " + server.log(), e);
        }
    }

    private static boolean allAnswered(int port) throws IOException {
        for (int i = 0; i < WITNESSES; i++) {
            try (var client = new Client(port, Duration.ofSeconds(5))) {
                if (!client.send(HELLO).receiveAll().endsWith("\r\n\r\nhello")) {
                    return false;
                }
            }
        }
        return true;
    }
}
