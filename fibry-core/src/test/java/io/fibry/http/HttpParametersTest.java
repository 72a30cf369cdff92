package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Seen to fail: with a decoder that takes all Unicode digits for hexadecimal ones. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpParametersTest {

    private static final ReplyHandler PATH =
            exchange -> HttpReply.text(HttpParameters.ofPath(exchange).toString());

    private static final HttpRoutes ROUTES = HttpRoutes.none()
            .handle("GET", "/orders/{id}", PATH)
            .handle("PUT", "/orders/{number}", PATH)
            .handle("GET", "/orders/{id}/items/{item}", PATH)
            .handle("GET", "/users/{id}/*", PATH)
            .get("/query", exchange -> HttpParameters.ofQuery(exchange).toString())
            .get("/one", exchange -> HttpParameters.ofQuery(exchange).get("q"))
            .get("/number", exchange -> "" + HttpParameters.ofQuery(exchange).get("n", Long::parseLong))
            .get(
                    "/optional",
                    exchange -> HttpParameters.ofQuery(exchange).find("q").orElse("none"))
            .get("/wrong", exchange -> HttpParameters.ofPath(exchange).get("id"));

    private static String answer(HttpRoutes routes, String request) throws Exception {
        try (var system = ActorSystem.create();
                var server = HttpServerActor.start(
                        system.actor().strategy(ThreadStrategy.virtual()), 0, routes, HttpOptions.defaults());
                var client = new Client(server.port())) {
            client.send(request + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            String answer = client.receiveAll();
            return answer.substring(9, 12) + " " + answer.substring(answer.indexOf("\r\n\r\n") + 4);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        GET /orders/7                | 200 {id=[7]}
        PUT /orders/7                | 200 {number=[7]}
        POST /orders/7               | 405 Method Not Allowed
        GET /orders/a%3Bb            | 200 {id=[a;b]}
        GET /orders/a%252Fb          | 200 {id=[a%2Fb]}
        GET /orders/%40+b            | 200 {id=[@+b]}
        GET /orders/%C3%BC           | 200 {id=[ü]}
        GET /orders/%F0%9F%8C%8D     | 200 {id=[🌍]}
        GET /orders/a/items/b?c=d    | 200 {id=[a], item=[b]}
        GET /users/1                 | 200 {id=[1]}
        GET /users/1/                | 200 {id=[1]}
        GET /users/1/2/3             | 200 {id=[1]}
        GET /users/                  | 404 Not Found
        GET /orders/                 | 404 Not Found
        GET /orders                  | 404 Not Found
        GET /orders/1/               | 404 Not Found
        GET /orders/1/items          | 404 Not Found
        GET /orders/%FF              | 400 Bad Request: the path has encoded bytes that are not UTF-8
        GET /orders/a%2Fb            | 400 Bad Request: the path has an encoded slash
        GET /query                   | 200 {}
        GET /query?a=1&b=2&a=3       | 200 {a=[1, 3], b=[2]}
        GET /query?a&b=&&=c          | 200 {a=[], b=[], =[c]}
        GET /query?a=b=c             | 200 {a=[b=c]}
        GET /query?a=%26+%2B%3D%2526 | 200 {a=[& +=%26]}
        GET /query?a%3Db=c           | 200 {a=b=[c]}
        GET /query?a=%FF             | 400 Bad Request
        GET /query?a=b%00            | 400 Bad Request
        GET /query?%00=a             | 400 Bad Request
        GET /query?%FF=a             | 400 Bad Request
        GET /one?q=x                 | 200 x
        GET /one                     | 400 Bad Request
        GET /one?q=x&q=y             | 400 Bad Request
        GET /optional                | 200 none
        GET /optional?q=x            | 200 x
        GET /number?n=12             | 200 12
        GET /number?n=twelve         | 400 Bad Request
        """)
    void decodesOnceAndStrictly(String request, String answer) throws Exception {
        assertEquals(answer, answer(ROUTES, request));
    }

    /** The JDK's own parser answers some of these before a handler sees them. */
    @ParameterizedTest
    @ValueSource(strings = {"/orders/%", "/orders/%4", "/orders/%zz", "/orders/a%", "/query?a=%4", "/orders/\u00fc"})
    void invalidEncodingIsRefused(String path) throws Exception {
        assertTrue(answer(ROUTES, "GET " + path).startsWith("400 "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%4", "a%", "%zz", "%+1", "%-1", "%١١", "%FF", "%C3", "ü", "%00", "a%00b"})
    void theDecoderIsStrict(String text) {
        assertThrows(ClientException.class, () -> PercentDecoder.ofPath(text));
        assertThrows(ClientException.class, () -> PercentDecoder.ofQuery(text));
    }

    @Test
    void anUnknownParameterNameIsAServerError() throws Exception {
        try (var log = new LogLines()) {
            assertTrue(answer(ROUTES, "GET /wrong").startsWith("500 "));
            assertEquals(
                    1, log.with("the path of this route has no parameter {id}").size());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/a/b, /a/b",
        "/a/c, /a/{x}",
        "/a/b/c, /a/b/*",
        "/a/b/d, /a/b/d",
        "/a/c/c, /a/{x}/c",
        "/a/b/e, /a/b/*",
        "/a/c/d, /a/{x}/*",
        "/a, /a/*",
        "/b, /{x}",
        "/b/c, /{x}/c",
        "/b/d, /*",
        "/, /*"
    })
    void aLiteralPrecedesAParameterAndAParameterTheWildcard(String path, String winner) throws Exception {
        var patterns =
                List.of("/*", "/{x}", "/{x}/c", "/a/*", "/a/{x}/*", "/a/{x}", "/a/b/*", "/a/b", "/a/{x}/c", "/a/b/d");
        assertEquals("200 " + winner, answer(routes(patterns), "GET " + path));
        assertEquals("200 " + winner, answer(routes(patterns.reversed()), "GET " + path));
    }

    private static HttpRoutes routes(List<String> patterns) {
        HttpRoutes routes = HttpRoutes.none();
        for (String pattern : patterns) {
            routes = routes.get(pattern, exchange -> pattern);
        }
        return routes;
    }

    /** After {@code b}, the literal matches no route. */
    @Test
    void aLiteralThatLeadsNowhereDoesNotHideAParameter() throws Exception {
        assertEquals("200 /a/{x}/c", answer(routes(List.of("/a/b/d", "/a/{x}/c")), "GET /a/b/c"));
    }

    @ParameterizedTest
    @CsvSource({"/a, /a", "/a/{x}, /a/{y}", "/a/*, /a/*", "/{x}/*, /{y}/*"})
    void aSecondRouteForTheSameRequestsIsAnError(String one, String other) {
        var routes = HttpRoutes.none().get(one, exchange -> "");
        var e = assertThrows(IllegalArgumentException.class, () -> routes.get(other, exchange -> ""));
        assertTrue(e.getMessage().contains("there is already a route for GET"), e.getMessage());
        routes.post(other, exchange -> "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/{}", "/{a", "/a}", "/{a}b", "/a{b}", "/{a}/{a}", "/{{a}}", "/{a b}", "/{*}"})
    void anInvalidParameterIsRefused(String path) {
        var routes = HttpRoutes.none();
        assertThrows(IllegalArgumentException.class, () -> routes.get(path, exchange -> ""));
    }
}
