package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that run before the handlers of all requests. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpFiltersTest {

    private static final HttpReply REFUSED = HttpReply.text("no token").withStatus(401);

    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final ActorSystem system = ActorSystem.create();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final HttpRoutes routes = HttpRoutes.none()
            .get("/before", exchange -> handled("before"))
            .filter(this::token)
            .get("/after", exchange -> handled("after"))
            .post("/after", exchange -> handled("post"))
            .get("/below/*", exchange -> handled("below"))
            .get(
                    "/items/{id}",
                    exchange -> handled(HttpParameters.ofPath(exchange).get("id")))
            .handle("GET", "/full", ReplyHandler.of(exchange -> {
                handled("full");
                exchange.sendResponseHeaders(204, -1);
            }))
            .events("/events", events -> events.send(handled("event")))
            .health("/health", () -> !handled("health").isEmpty());

    @AfterEach
    void close() {
        system.close();
        client.close();
    }

    private String handled(String what) {
        ran.add(what);
        return what;
    }

    private @Nullable HttpReply token(HttpExchange exchange) {
        exchange.getResponseHeaders().set("Checked", "yes");
        return "secret".equals(exchange.getRequestHeaders().getFirst("Token")) ? null : REFUSED;
    }

    private HttpResponse<String> send(HttpRoutes to, String method, String path, String token) throws Exception {
        HttpServerActor server =
                HttpServerActor.start(system.actor().strategy(ThreadStrategy.virtual()), 0, to, HttpOptions.defaults());
        return send(server, method, path, token);
    }

    private HttpResponse<String> send(HttpServerActor server, String method, String path, String token)
            throws Exception {
        var request = HttpServerActorTest.request(server, path)
                .header("Token", token)
                .method(method, method.equals("POST") ? BodyPublishers.ofString("body") : BodyPublishers.noBody());
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource({
        "GET,  /before,    before",
        "GET,  /after,     after",
        "HEAD, /after,     after",
        "POST, /after,     post",
        "GET,  /below/a/b, below",
        "GET,  /items/7,   7",
        "GET,  /full,      full",
        "GET,  /events,    event",
    })
    void aCheckRunsBeforeAllHandlers(String method, String path, String handler) throws Exception {
        var refused = send(routes, method, path, "wrong");
        assertEquals(401, refused.statusCode());
        assertEquals("yes", refused.headers().firstValue("Checked").orElse("no"));
        assertEquals(method.equals("HEAD") ? "" : "no token", refused.body());
        assertEquals(List.of(), ran);
        var answered = send(routes, method, path, "secret");
        assertTrue(answered.statusCode() < 300, answered::toString);
        assertEquals("yes", answered.headers().firstValue("Checked").orElse("no"));
        assertEquals(List.of(handler), ran);
    }

    /** A client without a token cannot even discover the existing paths. */
    @ParameterizedTest
    @CsvSource({"GET, /nothing, 404", "POST, /before, 405", "PUT, /items/7, 405"})
    void aCheckRunsForRequestsWithoutAHandler(String method, String path, int status) throws Exception {
        assertEquals(401, send(routes, method, path, "wrong").statusCode());
        var answered = send(routes, method, path, "secret");
        assertEquals(status, answered.statusCode());
        assertEquals("yes", answered.headers().firstValue("Checked").orElse("no"));
    }

    @Test
    void aCheckRunsBeforeAHandlerForAllRequests() throws Exception {
        var all = HttpRoutes.all(exchange -> handled("all")).filter(this::token);
        assertEquals(401, send(all, "GET", "/any", "wrong").statusCode());
        assertEquals("all", send(all, "GET", "/any", "secret").body());
    }

    /** A monitor has no token, and a rate limit would look like a failure. */
    @Test
    void aHealthCheckIsExemptByDefault() throws Exception {
        assertEquals(200, send(routes, "GET", "/health", "wrong").statusCode());
        assertEquals(200, send(routes, "HEAD", "/health", "wrong").statusCode());
        assertEquals(405, send(routes, "POST", "/health", "secret").statusCode());
        assertEquals(401, send(routes, "POST", "/health", "wrong").statusCode());
        assertEquals(List.of("health", "health"), ran);
        var guarded = routes.filterHealth();
        assertEquals(401, send(guarded, "GET", "/health", "wrong").statusCode());
        assertEquals(200, send(guarded, "GET", "/health", "secret").statusCode());
        var more = guarded.get("/other", exchange -> "").header("Server", "a").filter(exchange -> null);
        assertEquals(401, send(more, "GET", "/health", "wrong").statusCode());
        assertEquals(200, send(more, "GET", "/health", "secret").statusCode());
        assertEquals(List.of("health", "health", "health", "health"), ran);
    }

    @AllStrategies
    void theFirstOfSeveralChecksRunsFirst(ThreadStrategy strategy) throws Exception {
        var several = HttpRoutes.none()
                .filter(exchange -> {
                    handled("first");
                    return null;
                })
                .get("/", exchange -> handled("handler"))
                .filter(this::token)
                .filter(exchange -> {
                    handled("third");
                    return null;
                });
        var server = HttpServerActor.start(system.actor().strategy(strategy), 0, several, HttpOptions.defaults());
        assertEquals(401, send(server, "GET", "/", "wrong").statusCode());
        assertEquals(List.of("first"), ran);
        assertEquals(200, send(server, "GET", "/", "secret").statusCode());
        assertEquals(List.of("first", "first", "third", "handler"), ran);
    }

    @Test
    void aCheckThatThrowsAnswersWith500AndIsLogged() throws Exception {
        var broken = HttpRoutes.none().get("/", exchange -> handled("handler")).filter(exchange -> {
            throw new IllegalStateException("the tokens are not there");
        });
        try (var log = new LogLines()) {
            assertEquals(500, send(broken, "GET", "/", "secret").statusCode());
            system.close();
            assertEquals(1, log.with("ERROR", "failed to handle GET /").size(), log.text());
        }
        assertEquals(List.of(), ran);
    }

    @Test
    void routesWithoutACheckStayAsTheyAre() throws Exception {
        var open = HttpRoutes.none().get("/", exchange -> handled("open"));
        var closed = open.filter(exchange -> REFUSED);
        assertEquals(401, send(closed, "GET", "/", "").statusCode());
        var answered = send(open, "GET", "/", "");
        assertEquals("open", answered.body());
        assertFalse(answered.headers().firstValue("Checked").isPresent());
        assertThrows(NullPointerException.class, () -> open.filter(null));
    }
}
