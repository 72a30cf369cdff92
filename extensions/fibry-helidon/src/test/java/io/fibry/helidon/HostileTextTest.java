package io.fibry.helidon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names bring no control characters into the log. The lines about requests are those of {@code ClientLog}. */
@Timeout(60)
class HostileTextTest {

    private static final String NAME = "x\r\n\t\u001b[31m\u2028\u202e\0[main] ERROR forged";

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final ActorSystem system = ActorSystem.create();

    HostileTextTest() {
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void close() {
        assertTrue(system.close(Servers.LONG));
        System.setErr(before);
    }

    private HelidonServer start(HelidonRoutes routes) {
        return HelidonServer.start(system.actor(NAME), 0, routes, HelidonOptions.defaults());
    }

    private void assertPlainLine(String part) {
        List<String> lines = log.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(part))
                .toList();
        assertEquals(1, lines.size(), log.toString(StandardCharsets.UTF_8));
        String line = lines.getFirst();
        assertTrue(line.contains("forged") && line.contains("\\u202e"), line);
        for (String hostile : List.of("\r", "\t", "\u001b", "\u2028", "\u202e", "\0")) {
            assertFalse(line.contains(hostile), line);
        }
    }

    @Test
    void aSessionThatCannotOpen() throws Exception {
        HelidonServer server = start(HelidonRoutes.none().webSocket("/ws", (session, actors) -> {
            throw new IllegalStateException("closed");
        }));
        try (var client = new RawClient(server.port(), "/ws")) {
            assertEquals(RawClient.CLOSE, client.read().opcode());
        }
        assertPlainLine("could not open a session");
    }

    @Test
    void aHandlerThatThrowsATextOfItsClient() throws Exception {
        HelidonServer server = start(HelidonRoutes.none()
                .http(http -> http.get("/*", (request, response) -> {
                    throw new IllegalStateException("unknown: " + NAME, new IllegalArgumentException("cause: " + NAME));
                })));
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write("GET /%e2%80%ae HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(response.startsWith("HTTP/1.1 500 "), response);
            assertFalse(response.contains("forged"), response);
        }
        assertPlainLine("failed to handle GET /\\u202e");
        assertPlainLine("unknown: ");
        assertPlainLine("cause: ");
    }

    @Test
    void aFailedAsk() throws Exception {
        ReplyActor<String, String> stopped = system.actor().newActorWithReturn(message -> message);
        stopped.close();
        HelidonServer server = start(HelidonRoutes.none()
                .http(http -> http.get("/*", (request, response) -> response.send(stopped.call("late")))));
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write("GET /%e2%80%ae%e2%80%a8 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readAllBytes();
        }
        assertPlainLine("GET /\\u202e\\u2028: 503");
    }
}
