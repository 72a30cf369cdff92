package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which targets of requests get to a handler. Java's client would change some of them, so they are sent as text. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpTargetsTest {

    private final ActorSystem system = ActorSystem.create();
    private final HttpServerActor server = HttpServerActor.start(
            system,
            ThreadStrategy.virtual(),
            null,
            0,
            HttpRoutes.all(exchange -> "rest").get("/admin/*", exchange -> "admin"),
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

    /** Proxies resolve them before they apply their rules for paths, and then may forward the path as it came. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/admin/../public/x",
                "/admin/%2e%2e/public/x",
                "/admin/.%2e/public/x",
                "/admin/%2E./public/x",
                "/admin%2f..%2fpublic/x",
                "/admin%5C..%5cpublic/x",
                "/admin/..%2Fpublic/x",
                "/admin/./x",
                "/admin/%2e/x",
                "/..",
                "/.",
                "/admin/..",
                "/admin/%2e",
                "/../",
                "/%2e%2E?a=b",
                "http://localhost/admin/../x",
            })
    void aDotSegmentIsRefused(String target) throws Exception {
        assertTrue(request(target).startsWith("HTTP/1.1 400 "), target);
    }

    @ParameterizedTest
    @CsvSource({
        "/admin/..., admin",
        "/admin/.a, admin",
        "/admin/a., admin",
        "/admin/a..b/x, admin",
        "/admin/..a, admin",
        "/admin/%2e%2e%2e, admin",
        "/admin/%252e%252e/x, admin",
        "/admin/?a=../b, admin",
        "/x%2fy, rest",
        "http://localhost/admin/x, admin",
        "https://localhost/admin/x, admin",
        "HTTP://localhost/admin/x, admin",
    })
    void otherDotsAreNone(String target, String answer) throws Exception {
        String response = request(target);
        assertEquals(answer, response.substring(response.indexOf("\r\n\r\n") + 4), target);
    }

    /** The JDK's server does not pass them on; the guide to open ports says what happens. */
    @ParameterizedTest
    @CsvSource({
        "OPTIONS *,              HTTP/1.1 404 ",
        "CONNECT localhost:443,  ''",
        "GET mailto:a@localhost, ''",
    })
    void whatTheJdkAnswersItself(String line, String answer) throws Exception {
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
