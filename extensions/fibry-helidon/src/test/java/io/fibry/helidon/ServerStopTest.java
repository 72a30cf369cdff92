package io.fibry.helidon;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorBuilder;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.Supervision;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server is an actor: its stop drains requests and sessions, and a harder one cuts them. */
@Timeout(60)
class ServerStopTest {

    private final ActorSystem system = ActorSystem.create();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    private final HelidonRoutes slow = HelidonRoutes.none()
            .http(http -> http.get("/slow", (request, response) -> {
                        begun.countDown();
                        goOn.await();
                        response.send("done");
                    })
                    .get("/stream", (request, response) -> {
                        begun.countDown();
                        goOn.await();
                        try (var out = response.outputStream()) {
                            out.write("done".getBytes(US_ASCII));
                            out.flush(); // hence in chunks
                        }
                    })
                    .get("/fast", (request, response) -> response.send("fast")));

    @AfterEach
    void close() {
        goOn.countDown();
        assertTrue(system.close(Servers.LONG));
    }

    private static HttpRequest get(HelidonServer server, String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void aRunningRequestIsCompletedAndNewRequestsGet503(HttpClient.Version version) throws Exception {
        HelidonServer server = Servers.start(system, slow);
        try (var client = HttpClient.newBuilder().version(version).build()) {
            assertEquals(
                    "fast",
                    client.send(get(server, "/fast"), BodyHandlers.ofString()).body());
            CompletableFuture<HttpResponse<String>> first =
                    client.sendAsync(get(server, "/slow"), BodyHandlers.ofString());
            begun.await();
            server.stop();
            HttpResponse<String> refused = client.send(get(server, "/fast"), BodyHandlers.ofString());
            assertEquals(503, refused.statusCode());
            assertEquals("1", refused.headers().firstValue("retry-after").orElseThrow());
            try (var late = new RawClient(server.port(), "/ws")) {
                assertEquals("HTTP/1.1 503 Service Unavailable", late.status);
            }
            assertFalse(server.exit().isDone());
            goOn.countDown();
            assertEquals("done", first.get(60, TimeUnit.SECONDS).body());
            assertTrue(server.exit().get(60, TimeUnit.SECONDS).isNormal());
            assertThrows(
                    ConnectException.class, () -> new Socket(InetAddress.getLoopbackAddress(), server.port()).close());
        }
    }

    /** Its client then sends the next request on another connection, to another server. */
    @ParameterizedTest
    @ValueSource(strings = {"/slow", "/stream"})
    void aRunningRequestIsTheLastOfItsConnection(String path) throws Exception {
        HelidonServer server = Servers.start(system, slow);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(US_ASCII));
            begun.await();
            server.stop();
            goOn.countDown();
            String received = new String(socket.getInputStream().readAllBytes(), US_ASCII);
            assertTrue(received.startsWith("HTTP/1.1 200 OK\r\n"), received);
            assertTrue(received.contains("\r\nConnection: close\r\n"), received);
            assertTrue(received.contains("done"), received);
        }
    }

    @Test
    void atTheDeadlineRequestsAreCut() throws Exception {
        HelidonServer server = Servers.start(system, slow);
        try (var client = HttpClient.newHttpClient()) {
            var first = client.sendAsync(get(server, "/slow"), BodyHandlers.ofString());
            begun.await();
            boolean unused = server.close(Duration.ofMillis(100)); // forces the stop
            assertTrue(server.close(Servers.LONG));
            assertThrows(Exception.class, () -> first.get(60, TimeUnit.SECONDS));
        }
    }

    /** The received messages of a session are handled and answered before its close frame. */
    @Test
    void aSessionIsDrained() throws Exception {
        WebSocketEndpoint slowEcho = (session, actors) -> actors.newActor(message -> {
            begun.countDown();
            goOn.await();
            session.tell(message);
        });
        HelidonServer server = Servers.start(system, slowEcho, WebSocketOptions.defaults());
        try (var client = new RawClient(server.port(), "/ws")) {
            client.text("one");
            client.text("two");
            client.frame(RawClient.PING, true, new byte[0]);
            assertEquals(RawClient.PONG, client.read().opcode()); // so both have been received
            begun.await();
            assertEquals(1, server.sessions());
            server.stop();
            goOn.countDown();
            assertEquals("one", client.read().text());
            assertEquals("two", client.read().text());
            assertEquals(1001, client.read().closeCode());
            assertFalse(server.exit().isDone());
            client.close(1001);
            assertTrue(client.isAtEnd());
        }
        server.waitForExit();
        assertEquals(0, server.sessions());
    }

    @Test
    void aSystemStopsItsServersFirst() throws Exception {
        HelidonServer server = Servers.start(system, Servers.ECHO, Servers.PATIENT);
        try (var client = new RawClient(server.port(), "/ws")) {
            client.text("one");
            assertEquals("one", client.read().text());
            var closed = CompletableFuture.supplyAsync(() -> system.close(Servers.LONG));
            assertEquals(1001, client.read().closeCode());
            client.close(1001);
            assertTrue(closed.get(60, TimeUnit.SECONDS));
        }
    }

    /** The client answers no close frame. */
    @Test
    void aSystemKeepsItsDeadline() throws Exception {
        HelidonServer server = Servers.start(system, Servers.ECHO, Servers.PATIENT);
        try (var client = new RawClient(server.port(), "/ws")) {
            client.text("one");
            assertEquals("one", client.read().text());
            boolean unused = system.close(Duration.ofMillis(300)); // forces the stop
            assertTrue(system.close(Servers.LONG));
            assertEquals(1001, client.read().closeCode());
            assertTrue(client.isAtEnd());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DISCARD", "INTERRUPT"})
    void aHardStopCutsEverything(StopMode mode) throws Exception {
        HelidonServer server = Servers.start(system, slow.webSocket("/ws", Servers.ECHO));
        try (var client = HttpClient.newHttpClient();
                var session = new RawClient(server.port(), "/ws")) {
            var first = client.sendAsync(get(server, "/slow"), BodyHandlers.ofString());
            begun.await();
            server.stop(mode);
            assertTrue(session.isAtEnd());
            assertThrows(Exception.class, () -> first.get(60, TimeUnit.SECONDS));
            server.waitForExit();
        }
    }

    @Test
    void theErrorOfATakenPortNamesTheSolution() throws Exception {
        try (var taken = new ServerSocket(0)) {
            var e = assertThrows(
                    UncheckedIOException.class,
                    () -> HelidonServer.start(
                            system.actor("web"), taken.getLocalPort(), slow, HelidonOptions.defaults()));
            assertTrue(e.getMessage().contains("choose another port"), e.getMessage());
        }
        HelidonServer.start(system.actor("web"), 0, slow, HelidonOptions.defaults())
                .close();
    }

    @Test
    void itHasANameOrItsPort() {
        HelidonServer named = HelidonServer.start(system.actor("web"), 0, slow, HelidonOptions.defaults());
        assertEquals("web", named.name());
        HelidonServer unnamed = Servers.start(system, slow);
        assertEquals("helidon:" + unnamed.port(), unnamed.name());
    }

    @Test
    void aSupervisionOfTheBuilderIsRefused() {
        ActorBuilder<Object> builder = system.actor().supervision(Supervision.restart());
        var e = assertThrows(
                IllegalArgumentException.class, () -> HelidonServer.start(builder, 0, slow, HelidonOptions.defaults()));
        assertTrue(e.getMessage().endsWith("a server stops if it fails"), e.getMessage());
    }

    @Test
    void nothingStartsInAClosedSystem() {
        ActorSystem closed = ActorSystem.create();
        closed.close();
        assertThrows(IllegalStateException.class, () -> Servers.start(closed, slow));
        HelidonServer server = Servers.start(system, slow);
        server.close();
        assertThrows(ActorStoppedException.class, () -> server.execute(() -> {}));
    }
}
