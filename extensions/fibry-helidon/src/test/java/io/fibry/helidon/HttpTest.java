package io.fibry.helidon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Routes that ask actors, over HTTP/1.1 and HTTP/2, and the limits for requests. */
@Timeout(60)
class HttpTest {

    private static final Duration SHORT = Duration.ofMillis(50);

    private final ActorSystem system = ActorSystem.create();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    /** Squares numbers; the zero keeps it busy. */
    private final ReplyActor<Integer, Integer> squares = system.actor()
            .bounded(1, Overflow.FAIL)
            .newActorWithReturn((Integer n) -> {
                if (n == 0) {
                    begun.countDown();
                    goOn.await();
                }
                return n * n;
            });

    private final HelidonRoutes routes = HelidonRoutes.none()
            .http(http -> http.get("/squares/{n}", (request, response) -> {
                        int n = Integer.parseInt(request.path().pathParameters().get("n"));
                        response.send(squares.call(n, Servers.LONG).toString());
                    })
                    .get(
                            "/late",
                            (request, response) ->
                                    response.send(squares.call(2, SHORT).toString()))
                    .get(
                            "/patient",
                            (request, response) -> response.send(squares.call(0).toString()))
                    .post("/size", (request, response) -> {
                        response.send(Integer.toString(request.content().as(byte[].class).length));
                    }));

    @AfterEach
    void close() {
        goOn.countDown();
        assertTrue(system.close(Servers.LONG));
    }

    private static HttpRequest.Builder to(HelidonServer server, String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path));
    }

    @ParameterizedTest
    @EnumSource
    void anActorReplies(Version version) throws Exception {
        HelidonServer server = Servers.start(system, routes);
        try (var client = HttpClient.newBuilder().version(version).build()) {
            for (int i = 1; i <= 3; i++) {
                HttpResponse<String> response =
                        client.send(to(server, "/squares/" + i).build(), BodyHandlers.ofString());
                assertEquals(Integer.toString(i * i), response.body());
                assertEquals(version, response.version());
            }
            assertEquals(
                    404,
                    client.send(to(server, "/other").build(), BodyHandlers.ofString())
                            .statusCode());
        }
    }

    @Test
    void http2IsSpokenWithoutAnUpgradeToo() throws Exception {
        HelidonServer server = Servers.start(system, routes);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1));
            byte[] frame = new DataInputStream(socket.getInputStream()).readNBytes(9);
            assertEquals(4, frame[3], "a frame of settings");
        }
    }

    @Test
    void http2IsOffByDefault() throws Exception {
        HelidonServer server = HelidonServer.start(system.actor(), 0, routes, HelidonOptions.defaults());
        try (var client = HttpClient.newBuilder().version(Version.HTTP_2).build()) {
            var response = client.send(to(server, "/squares/3").build(), BodyHandlers.ofString());
            assertEquals(Version.HTTP_1_1, response.version());
            assertEquals("9", response.body());
        }
        try (var client = new Http2Client(server.port())) {
            String refused = client.readAll();
            assertTrue(refused.startsWith("HTTP/1.1 400 "), refused);
        }
    }

    @ParameterizedTest
    @EnumSource
    void failuresOfAsksHaveTheirStatus(Version version) throws Exception {
        HelidonServer server = Servers.start(system, routes);
        try (var client = HttpClient.newBuilder().version(version).build()) {
            var patient = client.sendAsync(to(server, "/patient").build(), BodyHandlers.ofString());
            begun.await();
            HttpResponse<String> late = client.send(to(server, "/late").build(), BodyHandlers.ofString());
            assertEquals(504, late.statusCode());
            assertEquals("504 Gateway Timeout", late.body());
            squares.tryTell(3); // fills its mailbox, if the ask that was too late is not there any more
            HttpResponse<String> full = client.send(to(server, "/squares/2").build(), BodyHandlers.ofString());
            assertEquals(503, full.statusCode());
            assertEquals("1", full.headers().firstValue("retry-after").orElseThrow());
            goOn.countDown();
            assertEquals("0", patient.get().body());
            assertTrue(squares.close(Servers.LONG));
            HttpResponse<String> ended = client.send(to(server, "/squares/2").build(), BodyHandlers.ofString());
            assertEquals(503, ended.statusCode());
        }
    }

    @Test
    void anExceptionOfABehaviorIsAnError() throws Exception {
        ReplyActor<String, String> fails = system.actor().newActorWithReturn(text -> {
            throw new IllegalStateException("on purpose");
        });
        HelidonServer server = Servers.start(
                system,
                HelidonRoutes.none()
                        .http(http ->
                                http.get("/", (request, response) -> response.send(fails.call("x", Servers.LONG)))));
        try (var client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(to(server, "/").build(), BodyHandlers.ofString());
            assertEquals(500, response.statusCode());
            assertTrue(!response.body().contains("on purpose"), response.body());
        }
    }

    /** The headers that a filter has set before the request, for instance for CORS. */
    @ParameterizedTest
    @EnumSource
    void errorsKeepTheHeadersOfFilters(Version version) throws Exception {
        HelidonServer server = Servers.start(
                system,
                routes.http(http -> http.addFilter((chain, request, response) -> {
                            response.header("X-Content-Type-Options", "nosniff");
                            chain.proceed();
                        })
                        .get("/fails", (request, response) -> {
                            throw new IllegalStateException("on purpose");
                        })));
        try (var client = HttpClient.newBuilder().version(version).build()) {
            for (String path : new String[] {"/fails", "/unknown", "/late", "/squares/2"}) {
                var response = client.send(to(server, path).build(), BodyHandlers.ofString());
                assertEquals(
                        "nosniff",
                        response.headers().firstValue("X-Content-Type-Options").orElse("none"),
                        path);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestsBeyondTheLimitGet503(Version version) throws Exception {
        HelidonServer server = HelidonServer.start(system.actor(), 0, routes, Servers.HTTP_2.maxRequests(1));
        try (var client = HttpClient.newBuilder().version(version).build()) {
            var patient = client.sendAsync(to(server, "/patient").build(), BodyHandlers.ofString());
            begun.await();
            HttpResponse<String> refused = client.send(to(server, "/squares/2").build(), BodyHandlers.ofString());
            assertEquals(503, refused.statusCode());
            assertEquals("503 Service Unavailable", refused.body());
            goOn.countDown();
            assertEquals("0", patient.get().body());
        }
    }

    /** The first request is a GET, since the client upgrades no connection to HTTP/2 with a body. */
    @ParameterizedTest
    @EnumSource
    void aLargeBodyIsRefused(Version version) throws Exception {
        HelidonServer server = HelidonServer.start(system.actor(), 0, routes, Servers.HTTP_2.maxBodyBytes(1_000));
        try (var client = HttpClient.newBuilder().version(version).build()) {
            var get = to(server, "/squares/3").build();
            assertEquals(version, client.send(get, BodyHandlers.ofString()).version());
            var small = to(server, "/size").POST(BodyPublishers.ofByteArray(new byte[1_000]));
            HttpResponse<String> accepted = client.send(small.build(), BodyHandlers.ofString());
            assertEquals(version, accepted.version());
            assertEquals("1000", accepted.body());
            var large = to(server, "/size").POST(BodyPublishers.ofByteArray(new byte[1_001]));
            HttpResponse<String> refused = client.send(large.build(), BodyHandlers.ofString());
            assertEquals(version, refused.version());
            assertEquals(413, refused.statusCode());
        }
    }

    @Test
    void theIdleTimeoutMayBeForever() throws Exception {
        var options = HelidonOptions.defaults().idleTimeout(ChronoUnit.FOREVER.getDuration());
        HelidonServer server = HelidonServer.start(system.actor(), 0, routes, options);
        try (var client = HttpClient.newHttpClient()) {
            var get = to(server, "/squares/3").build();
            assertEquals("9", client.send(get, BodyHandlers.ofString()).body());
        }
    }

    @Test
    void optionsAreImmutableAndChecked() {
        HelidonOptions changed = HelidonOptions.defaults()
                .backlog(1)
                .maxConnections(2)
                .maxRequests(3)
                .maxHeaderBytes(4)
                .maxBodyBytes(5)
                .idleTimeout(Duration.ofSeconds(6))
                .http2(true);
        assertEquals(1, changed.backlog());
        assertEquals(2, changed.maxConnections());
        assertEquals(3, changed.maxRequests());
        assertEquals(4, changed.maxHeaderBytes());
        assertEquals(5, changed.maxBodyBytes());
        assertEquals(Duration.ofSeconds(6), changed.idleTimeout());
        assertTrue(changed.http2());
        assertEquals(1024, HelidonOptions.defaults().backlog());
        var e = assertThrows(
                IllegalArgumentException.class, () -> HelidonOptions.defaults().maxRequests(0));
        assertEquals("maxRequests must be at least 1, not 0", e.getMessage());
    }
}
