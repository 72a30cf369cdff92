package io.fibry.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeftovers.class)
@Timeout(120)
class LineServerTest {

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    private TcpAcceptor start(ThreadStrategy strategy, LineHandler handler) {
        return LineServer.start(system.actor().strategy(strategy), 0, 10, handler, TcpOptions.defaults());
    }

    private static void echo(LineConnection connection) throws Exception {
        for (String line = connection.read(); line != null; line = connection.read()) {
            connection.write("<" + line + ">");
        }
    }

    private static String echoed(TcpAcceptor server, String text) throws Exception {
        try (var client = new Client(server.port())) {
            return client.send(text).end().receiveAll();
        }
    }

    @AllStrategies
    void answersLineByLine(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, LineServerTest::echo);
        assertEquals("", echoed(server, ""));
        assertEquals("<a>\n<>\n<b>\n<gr\u00fc\u00df>\n", echoed(server, "a\n\r\nb\r\ngr\u00fc\u00df\n"));
        assertEquals("<0123456789>\n<0123456789>\n", echoed(server, "0123456789\n0123456789\r\n"));
    }

    @AllStrategies
    void aLineThatIsTooLongEndsItsConnection(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = start(strategy, LineServerTest::echo);
            for (String tooLong : List.of("0123456789a\n", "0123456789a\r\n", "0123456789\r\r\n")) {
                assertEquals("<a>\n", echoed(server, "a\n" + tooLong));
            }
            assertEquals("<fine>\n", echoed(server, "fine\n"));
            server.close();
            assertEquals(1, log.with("INFO", "longer than 10 bytes").size(), log.text());
            assertEquals(
                    1,
                    log.with("INFO", "has ended; 2 more lines about its clients")
                            .size(),
                    log.text());
            assertEquals(List.of(), log.with("\tat "));
        }
    }

    /** The client never sends the end of the line: no handler waits for it, and no part of it is kept. */
    @Test
    void aLineWithoutEndIsCutAtTheLimit() throws Exception {
        List<String> failures = new ArrayList<>();
        var server = start(ThreadStrategy.virtual(), connection -> {
            for (int i = 0; i < 2; i++) {
                failures.add(
                        assertThrows(ProtocolException.class, connection::read).getMessage());
            }
            connection.write("sorry");
        });
        try (var client = new Client(server.port())) {
            assertEquals("sorry\n", client.send("0123456789abc").receiveAll());
        }
        assertEquals(failures.get(0), failures.get(1));
    }

    @Test
    void anIncompleteLineIsAnError() throws Exception {
        var failure = new CompletableFuture<Throwable>();
        var server = start(ThreadStrategy.virtual(), connection -> {
            assertEquals("whole", connection.read());
            failure.complete(assertThrows(EOFException.class, connection::read));
        });
        assertEquals("", echoed(server, "whole\nhal"));
        assertTrue(failure.join().getMessage().contains("within a line"));
    }

    @Test
    void aLineBreakInALineIsRefused() throws Exception {
        var server = start(ThreadStrategy.virtual(), connection -> {
            assertThrows(IllegalArgumentException.class, () -> connection.write("a\nb"));
            assertThrows(IllegalArgumentException.class, () -> connection.write("a\rb"));
            connection.write("by " + connection.client().toString().replaceFirst(":.*", ""));
        });
        assertEquals("by /127.0.0.1\n", echoed(server, ""));
    }

    @Test
    void linesOfSeveralThreadsDoNotMix() throws Exception {
        var server = start(ThreadStrategy.virtual(), connection -> {
            List<Thread> writers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String line = Character.toString('a' + i).repeat(5000);
                writers.add(Thread.startVirtualThread(() -> writeOften(connection, line)));
            }
            for (Thread writer : writers) {
                writer.join();
            }
        });
        var lines = echoed(server, "").lines().toList();
        assertEquals(400, lines.size());
        assertTrue(lines.stream()
                .allMatch(
                        line -> line.length() == 5000 && line.chars().distinct().count() == 1));
    }

    private static void writeOften(LineConnection connection, String line) {
        try {
            for (int i = 0; i < 100; i++) {
                connection.write(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theLengthIsChecked() {
        var e = assertThrows(
                IllegalArgumentException.class,
                () -> LineServer.start(
                        system.actor().strategy(ThreadStrategy.virtual()),
                        0,
                        0,
                        LineServerTest::echo,
                        TcpOptions.defaults()));
        assertTrue(e.getMessage().startsWith("maxLineBytes must be at least 1"), e.getMessage());
    }
}
