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
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpRoutesTest {

    private static final HttpRoutes ROUTES = HttpRoutes.none()
            .get("/a", exchange -> "get a")
            .get("/%C3%A4", exchange -> "umlaut")
            .post("/a", exchange -> "post a")
            .get("/a/*", exchange -> "below a")
            .get("/a/b/*", exchange -> "below b")
            .handle("GET", "/full", ReplyHandler.of(exchange -> {
                exchange.sendResponseHeaders(202, 4);
                exchange.getResponseBody().write(new byte[] {'f', 'u', 'l', 'l'});
            }))
            .events("/events", events -> {})
            .handle("GET", "/gone", exchange -> new HttpReply(410, "text/html", "<p>gone</p>"))
            .handle("DELETE", "/a", exchange -> new HttpReply(204, null, ""))
            .handle("GET", "/json", exchange -> HttpReply.json("{}").withStatus(201));

    private final ActorSystem system = ActorSystem.create();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void close() {
        system.close();
        client.close();
    }

    private HttpServerActor start(ThreadStrategy strategy, HttpRoutes routes) {
        return HttpServerActor.start(system.actor().strategy(strategy), 0, routes, HttpOptions.defaults());
    }

    private HttpResponse<String> send(HttpServerActor server, String method, String path) throws Exception {
        return client.send(
                HttpServerActorTest.request(server, path)
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource({
        "GET,    /a,      200, get a",
        "POST,   /a,      200, post a",
        "GET,    /a/,     200, below a",
        "GET,    /a/c,    200, below a",
        "GET,    /a/b,    200, below b",
        "GET,    /a/b/c?d=e, 200, below b",
        "GET,    /a/bc,   200, below a",
        "GET,    /full,   202, full",
        "GET,    /gone,   410, <p>gone</p>",
        "GET,    /json,   201, {}",
        "DELETE, /a,      204, ''",
        "HEAD,   /a,      200, ''",
        "HEAD,   /gone,   410, ''",
        "GET,    /ab,     404, Not Found",
        "GET,    /%C3%A4, 200, umlaut",
        "GET,    /%c3%a4, 404, Not Found",
        "GET,    /,       404, Not Found",
        "HEAD,   /b,      404, ''",
        "PUT,    /a,      405, Method Not Allowed",
        "HEAD,   /full,   202, ''",
        "HEAD,   /events, 405, ''",
    })
    void findsThePathAndThenTheMethod(String method, String path, int status, String body) throws Exception {
        var response = send(start(ThreadStrategy.virtual(), ROUTES), method, path);
        assertEquals(status, response.statusCode());
        assertEquals(body, response.body());
    }

    @AllStrategies
    void aRefusedMethodGetsTheAllowedMethods(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, ROUTES);
        assertEquals(
                "DELETE, GET, HEAD, POST",
                send(server, "PUT", "/a").headers().firstValue("Allow").orElse(""));
        assertEquals(
                "GET",
                send(server, "PUT", "/events").headers().firstValue("Allow").orElse(""));
    }

    /** The handler writes a body, which is not sent. */
    @AllStrategies
    void aHandlerThatSendsTheResponseAnswersHead(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, ROUTES);
        for (int i = 0; i < 3; i++) { // on the same connection
            var response = send(server, "HEAD", "/full");
            assertEquals(202, response.statusCode());
            assertEquals("4", response.headers().firstValue("Content-Length").orElse(""));
            assertEquals("full", send(server, "GET", "/full").body());
        }
    }

    @AllStrategies
    void aReplyHasItsContentType(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, ROUTES);
        assertEquals("application/json", contentType(send(server, "GET", "/json")));
        assertEquals("text/html", contentType(send(server, "GET", "/gone")));
        assertEquals("text/plain; charset=utf-8", contentType(send(server, "GET", "/a")));
        assertEquals(
                "11",
                send(server, "HEAD", "/gone")
                        .headers()
                        .firstValue("Content-Length")
                        .orElse(""));
    }

    private static String contentType(HttpResponse<?> response) {
        return response.headers().firstValue("Content-Type").orElse("");
    }

    @Test
    void oneHandlerForTheRest() throws Exception {
        var server = start(
                ThreadStrategy.virtual(), HttpRoutes.all(exchange -> "rest").get("/a", exchange -> "a"));
        assertEquals("a", send(server, "GET", "/a").body());
        assertEquals("rest", send(server, "PUT", "/a").body());
        assertEquals("rest", send(server, "GET", "/b").body());
    }

    @Test
    void theStatusReportsTheHealth() throws Exception {
        var healthy = new AtomicBoolean(true);
        var server = start(ThreadStrategy.virtual(), HttpRoutes.none().health("/health", healthy::get));
        assertEquals(200, send(server, "GET", "/health").statusCode());
        healthy.set(false);
        assertEquals(503, send(server, "GET", "/health").statusCode());
    }

    @Test
    void aHeaderWithALineBreakIsNotSent() throws Exception {
        for (String value : new String[] {"a\r\nSet-Cookie: b", "a\r\n b", "a\nb", "a\rb", "a\0b", "a\u010d\u010ab"}) {
            assertIsNotSent(value, HttpRoutes.all(exchange -> {
                set(exchange, value);
                return "text";
            }));
            assertIsNotSent(value, HttpRoutes.none().handle("GET", "/", ReplyHandler.of(exchange -> {
                set(exchange, value);
                exchange.sendResponseHeaders(200, -1);
            })));
        }
    }

    /** The checked method refuses some of it itself. */
    private static void set(HttpExchange exchange, String value) {
        exchange.getResponseHeaders().put("X-Name", new ArrayList<>());
        exchange.getResponseHeaders().get("X-Name").add(value);
    }

    private void assertIsNotSent(String value, HttpRoutes routes) throws Exception {
        try (var log = new LogLines()) {
            var server = start(ThreadStrategy.virtual(), routes);
            var response = send(server, "GET", "/");
            assertEquals(500, response.statusCode(), value);
            assertFalse(response.headers().map().containsKey("X-Name"));
            assertFalse(response.headers().map().containsKey("Set-Cookie"));
            server.close();
            assertEquals(
                    1,
                    log.with("the value of the header X-name has a line break").size());
        }
    }

    @Test
    void routesDoNotChange() throws Exception {
        var one = HttpRoutes.none().get("/a", exchange -> "a");
        one.get("/b", exchange -> "b");
        one.post("/a", exchange -> "post");
        var server = start(ThreadStrategy.virtual(), one);
        assertEquals(404, send(server, "GET", "/b").statusCode());
        assertEquals(405, send(server, "POST", "/a").statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "*", "a*"})
    void aPathMustBeginWithASlash(String path) {
        var routes = HttpRoutes.none();
        assertThrows(IllegalArgumentException.class, () -> routes.get(path, exchange -> ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "G T", "GET\r\n"})
    void anInvalidMethodIsRefused(String method) {
        var routes = HttpRoutes.none();
        assertThrows(IllegalArgumentException.class, () -> routes.handle(method, "/", exchange -> HttpReply.text("")));
    }

    /** Such a route would never handle a request. The server of {@code fibry-helidon} has the same corpus. */
    @ParameterizedTest
    @CsvFileSource(resources = "/route-paths.txt", encoding = "UTF-8")
    @CsvSource({
        "/a/*/b,        only at the end",
        "/*/a,          only at the end",
        "/a*,           only at the end",
        "/*a,           only at the end",
        "/a/**,         only at the end",
        "/a/*/*,        only at the end",
        "/a}b,          such as {id}",
        "/a/{id:[0-9]+}, such as {id}",
        "/a/{id?},      the query",
        "/a/{rest...},  matches several segments",
        "/a/{*rest},    only at the end",
        "/a/{rest+},    matches several segments",
        "/carts/{},     such as {id}",
        "/carts/a{b},   such as {id}",
        "/a b,          %20 for a space",
        "/ä,            must be encoded",
    })
    void aPathThatCannotMatchIsRefused(String path, String why) {
        var routes = HttpRoutes.none();
        var e = assertThrows(IllegalArgumentException.class, () -> routes.get(path, exchange -> ""));
        assertTrue(e.getMessage().contains("\"" + path + "\""), e.getMessage());
        assertTrue(e.getMessage().contains(why), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/*", "/a/", "/%20", "/a%3Bb", "/a.b/..c", "/~a!$&'()+,:=@"})
    void otherPathsAreFine(String path) throws Exception {
        var server = start(ThreadStrategy.virtual(), HttpRoutes.none().get(path, exchange -> "found"));
        assertEquals("found", send(server, "GET", path.replace('*', 'x')).body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"get", "Post"})
    void aMethodInLowerCaseIsRefused(String method) {
        var routes = HttpRoutes.none();
        var e = assertThrows(
                IllegalArgumentException.class, () -> routes.handle(method, "/", exchange -> HttpReply.text("")));
        assertTrue(e.getMessage().contains(method.toUpperCase(Locale.ROOT)), e.getMessage());
    }

    @Test
    void theSameRouteTwiceIsRefused() {
        var routes = HttpRoutes.none().get("/a", exchange -> "").get("/a/*", exchange -> "");
        for (String path : new String[] {"/a", "/a/*"}) {
            var e = assertThrows(IllegalArgumentException.class, () -> routes.health(path, () -> true));
            assertTrue(e.getMessage().contains("GET " + path), e.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 199, 600, -1})
    void anInvalidStatusIsRefused(int status) {
        assertThrows(IllegalArgumentException.class, () -> new HttpReply(status, null, ""));
    }
}
