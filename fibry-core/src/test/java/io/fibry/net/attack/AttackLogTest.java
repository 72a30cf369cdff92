package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients that break their connections as fast as they can. The log has one line per second for them, with their
 * number.
 */
@Timeout(300)
class AttackLogTest {

    private static final int CLIENTS = Attack.size(500, 20_000);
    /**
     * The log message for a client that breaks its connection. An HTTP client may be logged twice: its request was cut,
     * and its response.
     */
    private static final Pattern BROKEN = Pattern.compile(" broke| was cut short| got no response");

    private static final Pattern LEFT_OUT = Pattern.compile("(\\d+) more (such )?lines");
    private static final String HALF = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345";

    @ParameterizedTest
    @CsvSource({"tcp, virtual", "tcp, platform", "http, virtual", "http, platform"})
    void brokenConnectionsDoNotFillTheLog(String name, String strategy) throws Exception {
        boolean tcp = name.equals("tcp");
        long begin = System.nanoTime();
        try (var server = tcp
                ? ServerProcess.start(TcpVictim.class, strategy, "faults")
                : ServerProcess.startWith(List.of("-Dtimeout=300"), AttackedHttpServer.class, strategy, "1000")) {
            for (int i = 0; i < CLIENTS; i++) {
                new Client(server.port()).send(tcp ? "r" : HALF).reset();
                if (i % 10 == 0) {
                    assertAnswers(server.port(), tcp);
                }
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> server.number(tcp ? "connections" : "in work") == 0);
            assertEquals("true", server.ask("close"));
            long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
            List<String> lines = server.log()
                    .lines()
                    .filter(line -> BROKEN.matcher(line).find()
                            || LEFT_OUT.matcher(line).find())
                    .toList();
            assertTrue(lines.size() <= seconds + 2, lines.size() + " lines in " + seconds + " s");
            long counted = lines.stream().mapToLong(AttackLogTest::counted).sum();
            assertTrue(counted > 0 && counted <= 2L * CLIENTS, counted + " of " + CLIENTS);
        }
    }

    /** The number of clients that a line counts. The last one is not about a client of its own. */
    private static long counted(String line) {
        var number = LEFT_OUT.matcher(line);
        long leftOut = number.find() ? Long.parseLong(number.group(1)) : 0;
        return leftOut + (line.contains("has ended") ? 0 : 1);
    }

    private static void assertAnswers(int port, boolean tcp) throws IOException {
        if (tcp) {
            try (var client = new Client(port)) {
                assertEquals("x", client.send("-x").end().receiveAll());
            }
        } else {
            assertTrue(Raw.get(port, "/hello").endsWith("\r\n\r\nhello"));
        }
    }
}
