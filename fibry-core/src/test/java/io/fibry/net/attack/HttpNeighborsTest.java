package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpReply;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.http.ReplyHandler;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.ThreadKinds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Requests of many clients on one connection, as a proxy sends them. Whatever the handler of one request does, the next
 * gets its own response, and is unaffected by the previous one: no attribute, no interrupt, no header, no rest of a
 * body.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(300)
class HttpNeighborsTest {

    private static final int CONNECTIONS = 4;
    private static final int REQUESTS = Attack.size(100, 10_000);

    /** The actions of a handler, most of all responses. */
    private static final List<String> PATHS =
            List.of("/reply", "/reply", "/own", "/own", "/chunks", "/interrupt", "/unread", "/throw");

    private static final List<String> NAMES =
            List.of("Content-Length", "content-length", "Transfer-Encoding", "Connection", "Keep-Alive", "Trailer");
    private static final List<String> VALUES = List.of(
            "0", "3", "44", "+5", "-1", "5, 5", "chunked", "gzip, chunked", "identity", "Content-Length, x", "close");

    private final AtomicInteger smuggled = new AtomicInteger();

    @ThreadKinds
    void eachGetsItsOwnResponse(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create();
                var server =
                        HttpServerActor.start(system.actor().strategy(strategy), 0, routes(), HttpOptions.defaults())) {
            SplittableRandom random = Attack.random();
            List<CompletableFuture<Void>> connections = IntStream.range(0, CONNECTIONS)
                    .mapToObj(i -> random.split())
                    .map(own -> CompletableFuture.runAsync(() -> talk(server.port(), own), Thread::startVirtualThread))
                    .toList();
            connections.forEach(CompletableFuture::join);
            await().atMost(Duration.ofSeconds(60)) // a request is counted when it has ended, after its response
                    .until(() -> server.stats().ok() + server.stats().serverErrors() == (long) CONNECTIONS * REQUESTS);
        }
        assertEquals(0, smuggled.get());
    }

    private HttpRoutes routes() {
        return HttpRoutes.all(exchange -> "smuggled " + smuggled.incrementAndGet())
                .get("/reply", HttpNeighborsTest::answer)
                .handle("GET", "/own", ReplyHandler.of(exchange -> send(exchange, false)))
                .handle("GET", "/chunks", ReplyHandler.of(exchange -> send(exchange, true)))
                .get("/interrupt", exchange -> {
                    Thread.currentThread().interrupt();
                    return answer(exchange);
                })
                .handle("POST", "/unread", exchange -> HttpReply.text(answer(exchange)))
                .get("/throw", exchange -> {
                    throw new IllegalStateException("on purpose, for " + answer(exchange));
                });
    }

    /**
     * The attribute of the previous request, the own one, and whether the thread is interrupted. Sets the requested
     * headers.
     */
    private static String answer(HttpExchange exchange) {
        Headers wishes = exchange.getRequestHeaders();
        Object before = exchange.getAttribute("user");
        exchange.setAttribute("user", wishes.getFirst("X-User"));
        wishes.getOrDefault("X-Set", List.of()).forEach(wish -> {
            int equals = wish.indexOf('=');
            exchange.getResponseHeaders().add(wish.substring(0, equals), wish.substring(equals + 1));
        });
        boolean left = exchange.getRequestURI().getPath().equals("/reply")
                && Thread.currentThread().isInterrupted();
        return before + " " + exchange.getAttribute("user") + " " + left;
    }

    private static void send(HttpExchange exchange, boolean inChunks) throws IOException {
        byte[] body = answer(exchange).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, inChunks ? 0 : body.length);
        exchange.getResponseBody().write(body);
    }

    // ---- the clients

    private static void talk(int port, SplittableRandom random) {
        try {
            Client client = new Client(port);
            for (int i = 0; i < REQUESTS; i++) {
                String path = Attack.oneOf(PATHS, random);
                client.send(request(path, "user" + i, random));
                Response response = Response.read(client);
                assertEquals(path.equals("/throw") ? 500 : 200, response.status(), path);
                assertEquals(
                        path.equals("/throw") ? "Internal Server Error" : "null user" + i + " false",
                        response.body(),
                        path);
                if (response.isLast()) {
                    client.close();
                    client = new Client(port);
                }
            }
            client.close();
        } catch (IOException e) {
            throw new AssertionError("a response is missing or cut", e);
        }
    }

    private static String request(String path, String user, SplittableRandom random) {
        boolean post = path.equals("/unread");
        var request = new StringBuilder(post ? "POST " : "GET ")
                .append(path)
                .append(" HTTP/1.1\r\nHost: localhost\r\nX-User: ")
                .append(user)
                .append("\r\n");
        for (int i = random.nextInt(4); i > 0; i--) {
            request.append("X-Set: ")
                    .append(Attack.oneOf(NAMES, random))
                    .append('=')
                    .append(Attack.oneOf(VALUES, random))
                    .append("\r\n");
        }
        if (post) {
            request.append("Content-Length: ")
                    .append(Corpus.SMUGGLED.length())
                    .append("\r\n\r\n")
                    .append(Corpus.SMUGGLED);
        }
        return request.append(post ? "" : "\r\n").toString();
    }
}
