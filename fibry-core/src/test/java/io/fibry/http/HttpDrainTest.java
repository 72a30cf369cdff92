package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.Await;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.ThreadKinds;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that reuse their connections while the server stops: each request gets a complete response. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpDrainTest {

    private static final int CLIENTS = 30;
    private static final String GET = " HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final long before = HttpServerLoop.lingerMillis;
    private final ActorSystem system = ActorSystem.create();

    @BeforeEach
    void allowForALoadedMachine() {
        HttpServerLoop.lingerMillis = 3000;
    }

    @AfterEach
    void close() {
        HttpServerLoop.lingerMillis = before;
        system.close();
    }

    private HttpServerActor start(ThreadStrategy strategy) {
        HttpRoutes routes = HttpRoutes.none()
                .get("/text", exchange -> "text")
                .handle("GET", "/full", ReplyHandler.of(exchange -> {
                    exchange.sendResponseHeaders(200, 4);
                    exchange.getResponseBody().write(new byte[] {'f', 'u', 'l', 'l'});
                }));
        return HttpServerActor.start(system.actor().strategy(strategy), 0, routes, HttpOptions.defaults());
    }

    @ThreadKinds
    void noRequestIsCut(ThreadStrategy strategy) throws Exception {
        var server = start(strategy);
        var busy = new CountDownLatch(CLIENTS);
        List<String> last = new CopyOnWriteArrayList<>();
        List<Throwable> cut = new CopyOnWriteArrayList<>();
        List<Thread> clients = IntStream.range(0, CLIENTS)
                .mapToObj(i -> Thread.ofPlatform().start(() -> {
                    try {
                        last.add(lastResponse(server.port(), i % 2 == 0 ? "/text" : "/full", busy));
                    } catch (Exception | AssertionError e) {
                        cut.add(e);
                        busy.countDown();
                    }
                }))
                .toList();
        Await.latch(busy);
        server.stop();
        for (Thread client : clients) {
            client.join();
        }
        assertTrue(server.waitForExit(java.time.Duration.ofSeconds(60)));
        assertEquals(List.of(), cut);
        assertEquals(CLIENTS, last.size());
        for (String response : last) {
            assertTrue(response.startsWith("HTTP/1.1 200 ") || response.startsWith("HTTP/1.1 503 "), response);
        }
    }

    /** Otherwise its client would send one more request, which would be refused. */
    @ThreadKinds
    void aRunningRequestIsTheLastOfItsConnection(ThreadStrategy strategy) throws Exception {
        var begun = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var routes = HttpRoutes.none().get("/", exchange -> {
            begun.countDown();
            release.await();
            return "done";
        });
        var server = HttpServerActor.start(system.actor().strategy(strategy), 0, routes, HttpOptions.defaults());
        try (var client = new Client(server.port())) {
            client.send("GET /" + GET);
            begun.await();
            server.stop();
            release.countDown();
            String response = client.receiveAll();
            assertTrue(response.startsWith("HTTP/1.1 200 ") && response.endsWith("done"), response);
            assertTrue(response.toLowerCase(Locale.ROOT).contains("\r\nconnection: close\r\n"), response);
        }
        assertTrue(server.waitForExit(java.time.Duration.ofSeconds(60)));
    }

    /** Sends requests until a response is the last one of the connection. */
    private static String lastResponse(int port, String path, CountDownLatch busy) throws Exception {
        try (var client = new Client(port)) {
            for (int i = 0; ; i++) {
                client.send("GET " + path + GET);
                String head = head(client);
                int length = Integer.parseInt(head.replaceAll("(?s).*\r\ncontent-length: (\\d+)\r\n.*", "$1"));
                String body = client.receive(length);
                assertEquals(length, body.length());
                if (head.contains("\r\nconnection: close\r\n")) {
                    return head.toUpperCase(Locale.ROOT) + body;
                }
                if (i == 10) {
                    busy.countDown();
                }
            }
        }
    }

    private static String head(Client client) throws Exception {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            String more = client.receive(1);
            if (more.isEmpty()) {
                throw new java.io.EOFException("the request got no response; received: " + head);
            }
            head.append(more);
        }
        return head.toString().toLowerCase(Locale.ROOT);
    }

    /** A connection that is not in use is closed at once, and so is one that ends after its response. */
    @ThreadKinds
    void aServerWhoseConnectionsHaveEndedDoesNotWait(ThreadStrategy strategy) throws Exception {
        HttpServerLoop.lingerMillis = 3_600_000;
        var server = start(strategy);
        try (var idle = new Client(server.port());
                var client = new Client(server.port())) {
            client.send("GET /text HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .receiveAll();
            server.stop();
            assertTrue(server.waitForExit(java.time.Duration.ofSeconds(60)));
            idle.end();
        }
    }

    @ThreadKinds
    void theDeadlineOfACloseIsKept(ThreadStrategy strategy) throws Exception {
        HttpServerLoop.lingerMillis = 3_600_000;
        var server = start(strategy);
        try (var client = new Client(server.port())) {
            client.send("GET /text" + GET);
            head(client);
            server.close(java.time.Duration.ofMillis(10));
            assertTrue(server.exit().isDone());
        }
    }
}
