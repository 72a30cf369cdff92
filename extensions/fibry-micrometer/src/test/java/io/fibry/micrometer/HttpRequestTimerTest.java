package io.fibry.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.Headers;
import io.fibry.ActorSystem;
import io.fibry.http.HttpAccess;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.stereotypes.Stereotypes;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The timer of HTTP requests. Seen to fail: with the path of the request, and with any method of a client. */
@Timeout(60)
class HttpRequestTimerTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @AfterEach
    void close() {
        registry.close();
    }

    private Timer timer(String method, String uri, String status, String outcome) {
        Timer timer = registry.find("http.server.requests")
                .tags("method", method, "uri", uri, "status", status, "outcome", outcome)
                .timer();
        assertNotNull(timer, () -> registry.getMetersAsString());
        return timer;
    }

    private static HttpAccess access(String method, String route, int status) {
        return new HttpAccess(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                Instant.EPOCH,
                Duration.ofMillis(20),
                method,
                "/orders/7",
                route,
                "HTTP/1.1",
                new Headers(),
                status,
                0);
    }

    @Test
    void requestsAreCountedByRoute() throws Exception {
        var routes = HttpRoutes.none().get("/orders/{id}", exchange -> "order").get("/fail", exchange -> {
            throw new IllegalStateException("meant to fail");
        });
        var options = HttpOptions.defaults().accessLog(HttpRequestTimer.of(registry));
        try (var system = ActorSystem.create();
                var server = Stereotypes.def().in(system).embeddedHttpServer(0, routes, options);
                var client = HttpClient.newHttpClient()) {
            for (String path : new String[] {"/orders/1", "/orders/2?a=b", "/fail", "/nothing"}) {
                var request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                        .build();
                assertTrue(client.send(request, HttpResponse.BodyHandlers.ofString())
                                .statusCode()
                        > 0);
            }
        }
        assertEquals(2, timer("GET", "/orders/{id}", "200", "SUCCESS").count());
        assertEquals(1, timer("GET", "/fail", "500", "SERVER_ERROR").count());
        assertEquals(1, timer("GET", "NOT_FOUND", "404", "CLIENT_ERROR").count());
        assertEquals(3, registry.getMeters().size());
    }

    @Test
    void aClientCannotAddValues() {
        var timer = HttpRequestTimer.of(registry);
        timer.accept(access("BREW", "/coffee", 200)); // a method of a route
        timer.accept(access("X-1", "", 405));
        timer.accept(access("X-2", "", 405));
        timer.accept(access("GET", "", 0));
        assertEquals(1, timer("BREW", "/coffee", "200", "SUCCESS").count());
        assertEquals(2, timer("UNKNOWN", "UNKNOWN", "405", "CLIENT_ERROR").count());
        assertEquals(1, timer("GET", "UNKNOWN", "UNKNOWN", "UNKNOWN").count());
    }

    @Test
    void itRecordsTheTimeWithFurtherTags() {
        HttpRequestTimer.of(registry).tags(Tags.of("server", "page")).accept(access("GET", "/a", 200));
        Timer timer = timer("GET", "/a", "200", "SUCCESS");
        assertEquals("page", timer.getId().getTag("server"));
        assertEquals(20, timer.totalTime(TimeUnit.MILLISECONDS));
    }
}
