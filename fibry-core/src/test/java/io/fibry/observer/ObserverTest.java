package io.fibry.observer;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.http.HttpServerActor;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server of the page. The examples test the page in a browser. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class ObserverTest {

    private static final String TOKEN = "a-token-of-the-test";

    private final ActorSystem system = ActorSystem.create();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void close() {
        client.shutdownNow();
        system.close();
        client.close();
    }

    private HttpServerActor start(ObserverOptions options) {
        return Stereotypes.def().in(system).observer(0, options);
    }

    private HttpResponse<String> send(HttpServerActor server, String method, String path, String... headers)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** The first event with this name. */
    private String event(HttpServerActor server, String path, String name) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                .build();
        try (InputStream in = client.send(request, BodyHandlers.ofInputStream()).body()) {
            String line = "";
            while (!line.equals("event: " + name)) {
                line = line(in);
            }
            return line(in).replaceFirst("^data: ", "");
        }
    }

    private static String line(InputStream in) throws IOException {
        var line = new java.io.ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the stream has ended");
            }
            line.write(c);
        }
        return line.toString(java.nio.charset.StandardCharsets.UTF_8);
    }

    private String idOf(String name) {
        return system.actors()
                .filter(actor -> actor.name().equals(name))
                .findFirst()
                .orElseThrow()
                .id();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/actors/1", "/observer.css", "/observer.js", "/icon.svg", "/nothing"})
    void allAnswersHaveThePolicy(String path) throws Exception {
        HttpServerActor server = start(ObserverOptions.defaults());
        HttpResponse<String> answer = send(server, "GET", path);
        assertEquals(path.equals("/nothing") ? 404 : 200, answer.statusCode());
        String policy = answer.headers().firstValue("Content-Security-Policy").orElseThrow();
        assertTrue(policy.startsWith("default-src 'none'; script-src 'self'; style-src 'self';"), policy);
        assertFalse(policy.contains("unsafe"), policy);
        assertEquals(
                "nosniff", answer.headers().firstValue("X-Content-Type-Options").orElseThrow());
        assertEquals("no-store", answer.headers().firstValue("Cache-Control").orElseThrow());
        assertFalse(answer.body().contains("innerHTML"));
        assertFalse(answer.body().matches("(?s).*(src|href)=\"(https?:)?//.*"), "nothing comes from elsewhere");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:80", "127.0.0.1:8080", "[::1]:1", "shop.example"})
    void knownHostsAreLetIn(String host) throws Exception {
        assertTrue(status(host).startsWith("HTTP/1.1 200"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "10.0.0.1", "[::2]"})
    void foreignHostsAreRefused(String host) throws Exception {
        assertTrue(status(host).startsWith("HTTP/1.1 421"));
    }

    private String status(String host) throws Exception {
        HttpServerActor server = start(ObserverOptions.defaults().allowedHosts(Set.of("shop.example")));
        try (var raw = new Client(server.port())) {
            return raw.send("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                    .receiveAll();
        }
    }

    @Test
    void theEventsAreForKnownHostsOnly() throws Exception {
        HttpServerActor server = start(ObserverOptions.defaults());
        try (var raw = new Client(server.port())) {
            String answer = raw.send("GET /events HTTP/1.0\r\nHost: evil.example\r\n\r\n")
                    .receiveAll();
            assertTrue(answer.startsWith("HTTP/1.1 421"), answer);
            assertFalse(answer.contains("overview"), answer);
        }
        try (var raw = new Client(server.port())) {
            assertTrue(raw.send("GET / HTTP/1.0\r\n\r\n").receiveAll().startsWith("HTTP/1.1 421"));
        }
    }

    @Test
    void theAddressOfTheConnectionIsAName() throws Exception {
        var hosts = new HostCheck(Set.of());
        assertTrue(hosts.accepts("10.1.2.3", InetAddress.getByName("10.1.2.3")));
        assertTrue(hosts.accepts("[fe80::1]", InetAddress.getByName("fe80:0::1")));
        assertFalse(hosts.accepts("10.1.2.4", InetAddress.getByName("10.1.2.3")));
        assertEquals("[::1]", HostCheck.withoutPort("[::1]"));
    }

    @Test
    void itListensOnLoopbackOnly() {
        assertTrue(ObserverOptions.defaults().bindAddress().isLoopbackAddress());
    }

    @Test
    void hostileTextsAreEscaped() throws Exception {
        HttpServerActor server = start(ObserverOptions.defaults());
        String evil = "</script><b onclick=\"x\">\u2028\ud800\n\\";
        Actor<String> actor = system.actor(evil).newActor(text -> {
            throw new IllegalStateException(text);
        });
        actor.tell(evil);
        await().until(() -> system.dump().totals().failures() == 1);
        // control characters are escaped as text, and the backslash of that escape as JSON
        String escaped = "\\u003c/script\\u003e\\u003cb onclick=\\\"x\\\"\\u003e\\\\u2028\\\\ud800\\\\u000a\\\\";
        String incident = event(server, "/events", "incident");
        assertTrue(incident.contains("\"actor\":\"" + escaped + "\""), incident);
        assertTrue(incident.contains("\"text\":\"" + escaped + "\""), incident);
        assertTrue(event(server, "/events", "overview").contains("\"name\":\"" + escaped + "\""));
        assertTrue(event(server, "/actors/" + idOf(evil) + "/events", "actor").contains(escaped));
    }

    @AllStrategies
    void anActorHasItsPage(ThreadStrategy strategy) throws Exception {
        HttpServerActor server = start(ObserverOptions.defaults());
        var begun = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        system.actor("slow")
                .strategy(strategy)
                .newActor((String text) -> {
                    begun.countDown();
                    go.await();
                })
                .tell("x");
        begun.await();
        String path = "/actors/" + idOf("slow") + "/events";
        await().until(() -> event(server, path, "actor").contains("CountDownLatch.await"));
        String page = event(server, path, "actor");
        go.countDown();
        assertTrue(page.contains("\"state\":\"RUNNING\""), page);
        assertTrue(page.contains("\"message\":\"java.lang.String\""), page);
        assertTrue(page.contains("\"canStop\":false"), page);
        event(server, "/actors/none/events", "gone");
    }

    @Test
    void itAnswersWhileActorsThatComputeKeepAllProcessors() throws Exception {
        int carriers = Integer.getInteger(
                "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
        HttpServerActor server = start(ObserverOptions.defaults());
        var begun = new CountDownLatch(carriers);
        var over = new AtomicBoolean();
        for (int i = 0; i < carriers; i++) {
            system.actor("hog " + i)
                    .strategy(ThreadStrategy.virtual())
                    .newActor(text -> {
                        begun.countDown();
                        while (!over.get()) {
                            Thread.onSpinWait();
                        }
                    })
                    .tell("x");
        }
        try {
            begun.await();
            assertEquals(200, send(server, "GET", "/").statusCode());
            assertTrue(event(server, "/events", "overview").contains("hog 0"));
        } finally {
            over.set(true);
        }
    }

    @Test
    void thePageDoesNotListItself() throws Exception {
        HttpServerActor server = start(ObserverOptions.defaults());
        String overview = event(server, "/events", "overview");
        assertTrue(overview.contains("\"totals\":{\"actors\":0,"), overview);
        assertTrue(overview.contains("\"servers\":[]"), overview);
        assertTrue(overview.contains("\"longest\":[]"), overview);
    }

    @Test
    void withoutATokenNothingCanBeStopped() throws Exception {
        HttpServerActor server = start(ObserverOptions.defaults());
        Actor<String> orders = system.actor("orders").newActor(text -> {});
        assertEquals(404, stop(server, "orders", TOKEN).statusCode());
        assertFalse(orders.exit().isDone());
    }

    @Test
    void onlyTheTokenStopsAnActor() throws Exception {
        HttpServerActor server = start(ObserverOptions.defaults().controlToken(TOKEN));
        Actor<String> orders = system.actor("orders").newActor(text -> {});
        assertEquals(
                403,
                send(server, "POST", "/actors/" + idOf("orders") + "/stop?mode=DRAIN")
                        .statusCode());
        assertFalse(orders.exit().isDone());
        assertEquals(200, stop(server, "orders", TOKEN).statusCode());
        orders.waitForExit();
    }

    @Test
    void wrongTokensAreSlowedDownAndLoggedOnce() throws Exception {
        try (var log = new LogLines()) {
            HttpServerActor server = start(ObserverOptions.defaults().controlToken(TOKEN));
            system.actor("orders").newActor(text -> {});
            HttpResponse<String> answer = stop(server, "orders", "wrong");
            assertEquals(403, answer.statusCode());
            assertTrue(answer.headers().firstValue("Content-Security-Policy").isPresent());
            await().until(
                            () -> { // the second after a wrong token may be over before the next one arrives
                                HttpResponse<String> next = stop(server, "orders", "wrong");
                                assertTrue(next.statusCode() == 403 || next.statusCode() == 429, next::toString);
                                return next.statusCode() == 429
                                        && next.headers()
                                                .firstValue("Retry-After")
                                                .isPresent();
                            });
            await().until(() -> stop(server, "orders", TOKEN).statusCode() == 200);
            server.close();
            int lines = log.with("Actor " + server.name() + ", exchange with 127.0.0.1: the token is wrong")
                    .size();
            assertTrue(lines >= 1, log.text());
            assertFalse(log.text().contains(TOKEN));
        }
    }

    /** The streams of one client do not take the places of others; the newest are kept. */
    @Test
    void oneClientDoesNotExcludeOthers() throws Exception {
        HttpServerActor server = start(ObserverOptions.defaults());
        var streams = new ArrayList<Client>();
        try {
            for (int i = 0; i < 2 * Viewers.PER_CLIENT; i++) {
                var stream = new Client(server.port());
                streams.add(stream);
                stream.send("GET /events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
                stream.receive("HTTP/1.1 200 OK".length());
                await("a limit of the streams of a client")
                        .until(() -> server.stats().inWork() <= Viewers.PER_CLIENT_WITH_ENDING);
            }
            await("the end of the oldest streams").until(() -> server.stats().inWork() <= Viewers.PER_CLIENT);
            String first = streams.getFirst().receiveAll(Duration.ofSeconds(30));
            assertTrue(first.contains("event: overview"), first);
            assertEquals(200, send(server, "GET", "/").statusCode());
            assertTrue(event(server, "/events", "overview").contains("totals"));
        } finally {
            for (Client stream : streams) {
                stream.close();
            }
        }
    }

    /** Including refusals by the server before any check. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /a/../b HTTP/1.1|Host: a|",
                "GET / HTTP/1.1|",
                "POST /actors/1/stop HTTP/1.1|Host: localhost|"
            })
    void refusalsHaveThePolicyToo(String request) throws Exception {
        HttpServerActor server = start(ObserverOptions.defaults());
        try (var raw = new Client(server.port())) {
            String answer = raw.send(request.replace("|", "\r\n") + "Connection: close\r\n\r\n")
                    .receiveAll();
            assertTrue(answer.startsWith("HTTP/1.1 4"), answer);
            assertTrue(answer.contains("Content-security-policy: default-src 'none';"), answer);
        }
    }

    @Test
    void anInvalidModeHasThePolicyToo() throws Exception {
        HttpServerActor server = start(ObserverOptions.defaults().controlToken(TOKEN));
        system.actor("orders").newActor(text -> {});
        String path = "/actors/" + idOf("orders") + "/stop?mode=none";
        HttpResponse<String> answer = send(server, "POST", path, "Fibry-Token", TOKEN);
        assertEquals(400, answer.statusCode());
        assertTrue(answer.headers().firstValue("Content-Security-Policy").isPresent());
    }

    private HttpResponse<String> stop(HttpServerActor server, String name, String token) throws Exception {
        return send(server, "POST", "/actors/" + idOf(name) + "/stop?mode=DRAIN", "Fibry-Token", token);
    }

    @Test
    void aLabelDoesNotStopAnActorOfThatName() throws Exception {
        HttpServerActor server = start(ObserverOptions.defaults().controlToken(TOKEN));
        Actor<String> named = system.actor("orders").newActor(text -> {});
        Actor<String> labelled =
                system.actor().label("orders").onStop(exit -> {}).newActor(text -> {});
        for (var actor : system.actors().filter(a -> a.name().equals("orders")).toList()) {
            String path = "/actors/" + actor.id() + "/stop?mode=INTERRUPT";
            assertEquals(404, send(server, "POST", path, "Fibry-Token", TOKEN).statusCode());
        }
        assertFalse(named.exit().isDone());
        assertFalse(labelled.exit().isDone());
        assertEquals(
                404,
                send(server, "POST", "/actors/none/stop?mode=DRAIN", "Fibry-Token", TOKEN)
                        .statusCode());
    }

    @Test
    void optionsAreChecked() {
        ObserverOptions options = ObserverOptions.defaults();
        assertThrows(IllegalArgumentException.class, () -> options.controlToken("short"));
        assertThrows(IllegalArgumentException.class, () -> options.controlToken("sixteen chars \u00e4 \u00f6"));
        for (String notAHost : List.of("shop.example:80", "[::2]:80", "::2", " ")) {
            assertThrows(IllegalArgumentException.class, () -> options.allowedHosts(Set.of(notAHost)));
        }
        assertEquals(Set.of("[::2]"), options.allowedHosts(Set.of("[::2]")).allowedHosts());
        assertThrows(IllegalArgumentException.class, () -> options.interval(Duration.ofMillis(1)));
        assertFalse(options.controlToken(TOKEN).toString().contains(TOKEN));
    }

    @Test
    void aServerThatCannotListenLeavesNothing() {
        HttpServerActor server = start(ObserverOptions.defaults());
        assertThrows(
                java.io.UncheckedIOException.class,
                () -> Stereotypes.def().in(system).observer(server.port()));
    }
}
