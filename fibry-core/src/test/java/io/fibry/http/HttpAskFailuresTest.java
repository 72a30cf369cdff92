package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.ThreadStrategy;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.ThreadKinds;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Handlers whose asks fail: the status does not report a server error, and one cause does not fill the log. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpAskFailuresTest {

    private static final Duration SHORT = Duration.ofMillis(1);
    private static final int MANY = 80;

    private final CountDownLatch go = new CountDownLatch(1);
    private final CountDownLatch inWork = new CountDownLatch(1);
    private final ActorSystem system = ActorSystem.create();

    private final ReplyActor<String, String> slow = system.actor().newActorWithReturn((String message) -> {
        go.await();
        return message;
    });
    private final ReplyActor<String, String> full = system.actor()
            .bounded(1, Overflow.FAIL)
            .newActorWithReturn((String message) -> {
                inWork.countDown();
                go.await();
                return message;
            });
    private final ReplyActor<String, String> stopped = system.actor().newActorWithReturn((String message) -> message);
    private final ReplyActor<String, String> broken = system.actor().newActorWithReturn((String message) -> {
        throw new IllegalStateException("broken on purpose");
    });
    private final ReplyActor<String, String> asker =
            system.actor().newActorWithReturn((String message) -> slow.call(message, SHORT));

    private final HttpRoutes routes = HttpRoutes.none()
            .filter(exchange -> {
                exchange.getResponseHeaders().set("Checked", "yes");
                return null;
            })
            .get("/call/slow", exchange -> slow.call("a", SHORT))
            .get("/join/slow", exchange -> slow.ask("a", SHORT).join())
            .get("/get/slow", exchange -> slow.ask("a", SHORT).get())
            .get(
                    "/then/slow",
                    exchange -> slow.ask("a", SHORT).thenApply(a -> a).join())
            .get("/call/asker", exchange -> asker.call("a"))
            .get("/call/full", exchange -> full.call("a"))
            .get("/join/full", exchange -> full.ask("a").join())
            .get("/call/stopped", exchange -> stopped.call("a"))
            .get("/join/stopped", exchange -> stopped.ask("a").join())
            .get("/tell/stopped", exchange -> {
                stopped.tell("a");
                return "";
            })
            .get("/call/broken", exchange -> broken.call("a"))
            .get("/wrapped", exchange -> {
                try {
                    return slow.call("a", SHORT);
                } catch (Exception e) {
                    throw new IllegalStateException("the handler's own failure", e);
                }
            })
            .get("/empty", exchange -> {
                throw new ExecutionException("without a cause", null);
            })
            .handle("GET", "/late", ReplyHandler.of(exchange -> {
                exchange.sendResponseHeaders(200, 10);
                slow.ask("a", SHORT).join();
            }));

    HttpAskFailuresTest() throws InterruptedException {
        slow.tell("handled until the end of the test");
        full.tell("handled until the end of the test");
        inWork.await();
        full.tell("waits");
        stopped.close();
    }

    @AfterEach
    void close() {
        go.countDown();
        system.close();
    }

    private HttpServerActor start(ThreadStrategy strategy) {
        return HttpServerActor.start(system.actor().strategy(strategy), 0, routes, HttpOptions.defaults());
    }

    private static String get(HttpServerActor server, String path) throws Exception {
        try (var client = new Client(server.port())) {
            return client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .receiveAll();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/call/slow,    504",
        "/join/slow,    504",
        "/get/slow,     504",
        "/then/slow,    504",
        "/call/asker,   504",
        "/call/full,    503",
        "/join/full,    503",
        "/call/stopped, 503",
        "/join/stopped, 503",
        "/tell/stopped, 503",
        "/call/broken,  500",
        "/wrapped,      500",
        "/empty,        500",
    })
    void theStatusNamesTheFailure(String path, int status) throws Exception {
        try (var log = new LogLines()) {
            var server = start(ThreadStrategy.virtual());
            String response = get(server, path);
            assertTrue(response.startsWith("HTTP/1.1 " + status + " "), response);
            assertEquals(status == 503, response.toLowerCase(Locale.ROOT).contains("\r\nretry-after: 1\r\n"), response);
            assertTrue(response.contains("\r\nChecked: yes\r\n"), response);
            server.close();
            assertEquals(1, log.with("Actor " + server.name(), "GET " + path).size(), log.text());
            assertEquals(status == 500, log.text().contains("\tat "), log.text());
        }
    }

    @ThreadKinds
    void aResponseThatHasBegunIsCutOff(ThreadStrategy strategy) throws Exception {
        var server = start(strategy);
        String response = get(server, "/late");
        assertFalse(response.contains("504"), response);
        server.close();
        assertEquals(1, server.stats().incomplete());
    }

    @ParameterizedTest
    @CsvSource({"/call/slow", "/call/full", "/call/stopped", "/wrapped", "/call/broken"})
    void oneCauseDoesNotFillTheLog(String path) throws Exception {
        try (var log = new LogLines()) {
            var server = start(ThreadStrategy.virtual());
            long began = System.nanoTime();
            for (int i = 0; i < MANY; i++) {
                get(server, path);
            }
            server.close();
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) + 1;
            long lines = log.with("Actor " + server.name(), "GET " + path).size();
            assertTrue(lines >= 1 && lines <= seconds + 1, log.text());
            long stacks = log.text()
                    .lines()
                    .filter(line -> line.startsWith("java.") || line.startsWith("io.fibry."))
                    .count();
            assertTrue(stacks <= seconds / 60 + 1, log.text());
            assertTrue(log.text().contains("not logged"), log.text());
        }
    }

    @ThreadKinds
    void anotherCauseIsLogged(ThreadStrategy strategy) throws Exception {
        try (var log = new LogLines()) {
            var server = start(strategy);
            for (String path : new String[] {"/call/slow", "/call/full", "/call/stopped", "/call/broken", "/wrapped"}) {
                get(server, path);
                get(server, path);
                assertTrue(log.with("Actor " + server.name(), "GET " + path).size() >= 1, log.text());
            }
        }
    }
}
