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
 * The handlers of a server use up all memory, until their clients close their connections. Then every server serves
 * again, and closes. A server on virtual threads may fail instead, because the JDK loses the threads that wake up its
 * handlers.
 */
@Timeout(600)
class AttackMemoryTest {

    private static final int ROUNDS = Attack.size(3, 20);
    private static final int CLIENTS = 200;
    private static final int LATE_CLIENTS = 20;
    /** In milliseconds. The handler that notices that the heap is full may have no memory for an answer. */
    private static final int FULL_WITHIN = Attack.size(3_000, 10_000);

    private static final int WITNESSES = 10;

    /** More than the time after which a server fails whose virtual threads are not woken up. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @ParameterizedTest
    @CsvSource({"virtual, part", "platform, part", "platform, whole"})
    void serversServeAgainAndClose(String strategy, String taken) throws Exception {
        try (var server = ServerProcess.startWith(List.of("-Xss512k"), MemoryVictim.class, strategy, taken)) {
            int lines = Integer.parseInt(server.ask("lines port"));
            for (int i = 0; i < ROUNDS; i++) {
                try {
                    exhaust(server.port(), lines);
                    awaitAnswers(server.port());
                    awaitAnswers(lines);
                    await().atMost(PATIENCE).until(() -> server.number("connections") == 0);
                } catch (IOException | ConditionTimeoutException | AssertionError e) {
                    String why = "no answers: " + e + "\n" + server.log();
                    assertEquals("virtual", strategy, why);
                    assertEquals(MemoryVictim.FAILED, server.awaitExit(), why);
                    return;
                }
            }
            assertEquals("true", server.ask("close"), server.log());
            assertEquals(0, server.awaitEnd(), server.log());
        }
    }

    private static void exhaust(int port, int lines) throws IOException {
        try (var crowd = new Crowd(port, "k\n".getBytes(US_ASCII));
                var late = new Crowd(lines, "k\n".getBytes(US_ASCII))) {
            crowd.grow(CLIENTS);
            crowd.awaitAnyAnswer(FULL_WITHIN);
            late.grow(LATE_CLIENTS);
            crowd.grow(LATE_CLIENTS);
            late.awaitAnyAnswer(200);
        }
    }

    /** The memory may be freed only now; then none is refused. */
    private static void awaitAnswers(int port) throws IOException {
        await().pollDelay(Duration.ZERO)
                .atMost(PATIENCE)
                .ignoreExceptionsMatching(IOException.class::isInstance)
                .until(() -> answers(port));
        for (int i = 0; i < WITNESSES; i++) {
            assertEquals(true, answers(port));
        }
    }

    private static boolean answers(int port) throws IOException {
        try (var client = new Client(port, Duration.ofSeconds(5))) {
            return client.send("x\n").receive(1).equals("x");
        }
    }
}
