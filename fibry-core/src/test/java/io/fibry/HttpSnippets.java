package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.http.HttpOptions;
import io.fibry.http.HttpParameters;
import io.fibry.http.HttpReply;
import io.fibry.http.HttpRoutes;
import io.fibry.http.ReplyHandler;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The code of the Javadoc of the HTTP server, compiled and run. */
@ExtendWith(NoLeftovers.class)
@Timeout(60)
class HttpSnippets {

    @Test
    void routes() throws Exception {
        // @start region="routes"
        var routes = HttpRoutes.none()
                .get("/hello", exchange -> "Hello World!")
                .handle(
                        "POST",
                        "/orders",
                        exchange -> HttpReply.json("{\"id\": 7}").withStatus(201))
                .handle("GET", "/raw/*", ReplyHandler.of(exchange -> {
                    exchange.sendResponseHeaders(200, 3);
                    exchange.getResponseBody().write(new byte[] {1, 2, 3});
                }))
                .health("/health", () -> true);
        // @end
        try (var system = ActorSystem.create();
                var server = Stereotypes.fibers().in(system).embeddedHttpServer(0, routes)) {
            assertEquals("200", status(server.port(), "GET /hello"));
            assertEquals("201", status(server.port(), "POST /orders"));
            assertEquals("200", status(server.port(), "GET /raw/bytes"));
            assertEquals("200", status(server.port(), "GET /health"));
        }
    }

    @Test
    void parameters() throws Exception {
        // @start region="parameters"
        var routes = HttpRoutes.none()
                .get("/orders/{id}", exchange -> {
                    long id = HttpParameters.ofPath(exchange).get("id", Long::parseLong);
                    return "order " + id;
                })
                .get("/search", exchange -> {
                    var query = HttpParameters.ofQuery(exchange);
                    return query.get("text") + " in " + query.find("place").orElse("all places");
                });
        // @end
        try (var system = ActorSystem.create();
                var server = Stereotypes.fibers().in(system).embeddedHttpServer(0, routes)) {
            assertEquals("200", status(server.port(), "GET /orders/7"));
            assertEquals("400", status(server.port(), "GET /orders/seven"));
            assertEquals("200", status(server.port(), "GET /search?text=a+b"));
            assertEquals("400", status(server.port(), "GET /search?place=here"));
        }
    }

    @Test
    void events() throws Exception {
        // @start region="events"
        var routes = HttpRoutes.none().events("/ticks", events -> {
            for (int n = 1; n <= 10 && events.pause(Duration.ofMillis(100)); n++) {
                events.send("tick " + n);
            }
        });
        // @end
        try (var system = ActorSystem.create();
                var server = Stereotypes.fibers().in(system).embeddedHttpServer(0, routes);
                var client = new Client(server.port())) {
            client.send("GET /ticks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertTrue(client.receiveAll().contains("data: tick 10\n\n"));
        }
    }

    @Test
    void accessLog() throws Exception {
        // @start region="accessLog"
        Logger log = LoggerFactory.getLogger("access");
        var options =
                HttpOptions.defaults().accessLog(request -> log.info(request.toCommonLog(ZoneId.systemDefault())));
        // @end
        try (var lines = new LogLines()) {
            try (var system = ActorSystem.create();
                    var server = Stereotypes.fibers()
                            .in(system)
                            .embeddedHttpServer(0, HttpRoutes.all(exchange -> "Hello"), options)) {
                assertEquals("200", status(server.port(), "GET /hello"));
            }
            assertEquals(1, lines.with("] \"GET /hello HTTP/1.1\" 200 5").size());
        }
    }

    private static String status(int port, String request) throws Exception {
        try (var client = new Client(port)) {
            client.send(request + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            return client.receiveAll().substring(9, 12);
        }
    }
}
