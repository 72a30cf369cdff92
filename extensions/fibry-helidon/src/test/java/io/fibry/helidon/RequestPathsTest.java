package io.fibry.helidon;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.helidon.webserver.http.Handler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The corpus of paths that the core server is tested with, over HTTP/1.1, HTTP/2 and WebSocket. */
@Timeout(60)
class RequestPathsTest {

    private static final int BAD_REQUEST = 0x8c; // of the static table of HPACK

    private final ActorSystem system = ActorSystem.create();
    private final Queue<String> handled = new ConcurrentLinkedQueue<>();
    private final AtomicInteger sessions = new AtomicInteger();
    private final Handler handler = (request, response) -> {
        handled.add(request.prologue().uriPath().rawPath());
        response.send("ok");
    };
    private final WebSocketEndpoint endpoint = (session, actors) -> {
        sessions.incrementAndGet();
        return actors.newActor(message -> {});
    };
    private final HelidonServer server = Servers.start(
            system,
            HelidonRoutes.none()
                    .http(http -> http.any("/", handler).any("/*", handler))
                    .webSocket("/", endpoint)
                    .webSocket("/*", endpoint));

    @AfterEach
    void close() {
        assertTrue(system.close(Servers.LONG));
    }

    private static List<String> corpus(String result) throws IOException {
        try (var in = RequestPathsTest.class.getResourceAsStream("/request-paths.txt")) {
            List<String> paths = new String(in.readAllBytes(), US_ASCII)
                    .lines()
                    .filter(line -> line.startsWith(result + " "))
                    .map(line -> line.substring(result.length() + 1))
                    .toList();
            assertFalse(paths.isEmpty());
            return paths;
        }
    }

    private String status(String path, String headers) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n")
                            .getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readNBytes(12), ISO_8859_1).substring(9);
        }
    }

    @Test
    void overHttp1() throws Exception {
        for (String path : corpus("refused")) {
            assertEquals("400", status(path, ""), path);
            assertEquals("400", status(path + "?a=b", ""), path);
        }
        assertTrue(handled.isEmpty(), handled::toString);
        for (String path : corpus("routed")) {
            assertEquals("200", status(path, ""), path);
            assertEquals(path, handled.remove());
        }
    }

    @Test
    void overAnUpgradeToHttp2() throws Exception {
        String upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n";
        for (String path : corpus("refused")) {
            assertEquals("400", status(path, upgrade), path);
        }
        assertTrue(handled.isEmpty(), handled::toString);
        for (String path : corpus("routed")) {
            assertEquals("101", status(path, upgrade), path);
        }
    }

    @Test
    void overHttp2() throws Exception {
        try (var client = new Http2Client(server.port())) {
            int stream = 1;
            for (String path : corpus("refused")) {
                client.get(stream, request(path));
                assertEquals(BAD_REQUEST, client.status(), path);
                stream += 2;
            }
            assertTrue(handled.isEmpty(), handled::toString);
            for (String path : corpus("routed")) {
                client.get(stream, request(path));
                assertEquals(Http2Client.OK, client.status(), path);
                assertEquals(path, handled.remove());
                stream += 2;
            }
        }
    }

    private static byte[] request(String path) {
        byte[] head = Http2Client.bytes(0x82, 0x86, 1, 9, 'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't', 4);
        return Http2Client.join(head, Http2Client.bytes(path.length()), path.getBytes(ISO_8859_1));
    }

    @Test
    void overWebSocket() throws Exception {
        for (String path : corpus("refused")) {
            try (var client = new RawClient(server.port(), path)) {
                assertTrue(client.status.startsWith("HTTP/1.1 400 "), path + ": " + client.status);
            }
        }
        assertEquals(0, sessions.get());
        for (String path : corpus("routed")) {
            try (var client = new RawClient(server.port(), path)) {
                assertTrue(client.status.startsWith("HTTP/1.1 101 "), path + ": " + client.status);
            }
        }
    }
}
