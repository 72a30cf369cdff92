package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.sockets.RequestPathTest;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which request targets reach a handler. Java's client would change some of them, so they are sent as text. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpTargetsTest {

    private final ActorSystem system = ActorSystem.create();
    private final HttpServerActor server = HttpServerActor.start(
            system.actor().strategy(ThreadStrategy.virtual()),
            0,
            HttpRoutes.all(exchange -> "rest")
                    .get("/admin/*", exchange -> "admin")
                    .get("/public/*", exchange -> "public"),
            HttpOptions.defaults());

    @AfterEach
    void close() {
        system.close();
    }

    private String request(String target) throws IOException {
        try (var client = new Client(server.port())) {
            return client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .receiveAll();
        }
    }

    static List<String> refused() throws IOException {
        return RequestPathTest.corpus("refused");
    }

    static List<String> routed() throws IOException {
        return RequestPathTest.corpus("routed");
    }

    @ParameterizedTest
    @MethodSource("refused")
    void aPathThatAProxyMayReadDifferentlyIsRefused(String path) throws Exception {
        for (String target : List.of(path, path + "?a=b", "http://localhost" + path)) {
            String response = request(target);
            assertTrue(response.startsWith("HTTP/1.1 400 "), target + ": " + response);
            assertFalse(response.contains("rest") || response.contains("admin"), response);
        }
    }

    @ParameterizedTest
    @MethodSource("routed")
    void anotherPathIsRouted(String path) throws Exception {
        for (String target : List.of(path, path + "?a=../b//c;d", "http://localhost" + path)) {
            assertTrue(request(target).endsWith("\r\n\r\npublic"), target);
        }
    }

    @Test
    void theReasonIsInTheResponse() throws Exception {
        String response = request("/admin/..;/x");
        assertTrue(response.endsWith("Bad Request: the path has a dot segment"), response);
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost/admin/x, admin",
        "https://localhost/admin/x, admin",
        "HTTP://localhost/admin/x, admin",
    })
    void aTargetCanHaveAHost(String target, String answer) throws Exception {
        String response = request(target);
        assertEquals(answer, response.substring(response.indexOf("\r\n\r\n") + 4), target);
    }

    /** The JDK's server does not pass them on; the guide to open ports describes its behavior. */
    @ParameterizedTest
    @CsvSource({
        "OPTIONS *,              HTTP/1.1 404 ",
        "CONNECT localhost:443,  ''",
        "GET mailto:a@localhost, ''",
    })
    void theJdkAnswersSomeTargetsItself(String line, String answer) throws Exception {
        try (var client = new Client(server.port())) {
            String response = client.send(line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .receiveAll();
            assertTrue(answer.isEmpty() ? response.isEmpty() : response.startsWith(answer.strip()), response);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://localhost/x", "file://localhost/x", "ws://localhost/x"})
    void aTargetOfAnotherSchemeIsRefused(String target) throws Exception {
        assertTrue(request(target).startsWith("HTTP/1.1 400 "), target);
    }
}
