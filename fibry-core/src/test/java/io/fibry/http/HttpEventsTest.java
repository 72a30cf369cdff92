package io.fibry.http;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Server-sent events. Clients speak HTTP/1.0, in which a response ends with its connection. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpEventsTest {

    private static final String GET = "GET /events HTTP/1.0\r\nHost: localhost\r\n";
    private static final Duration HOUR = Duration.ofHours(1);

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    private HttpServerActor start(ThreadStrategy strategy, EventStreamHandler handler) {
        var routes = HttpRoutes.none().events("/events", handler);
        return HttpServerActor.start(system.actor().strategy(strategy), 0, routes, HttpOptions.defaults());
    }

    private static String answer(HttpServerActor server, String headers) throws IOException {
        try (var client = new Client(server.port())) {
            return client.send(GET + headers + "\r\n").receiveAll();
        }
    }

    /** The events, without the head and the comment that opens the stream. */
    private static String events(String answer) {
        return answer.substring(answer.indexOf(":\n\n") + 3);
    }

    @AllStrategies
    void eventsHaveTheFormOfTheStandard(ThreadStrategy strategy) throws Exception {
        var server = start(strategy, events -> {
            events.retryAfter(Duration.ofSeconds(3));
            events.send("plain");
            events.send("two\nlines\r\n");
            events.send("");
            events.send("price", "7", "gr\u00fc\u00df");
        });
        String answer = answer(server, "");
        assertTrue(answer.contains("\r\nContent-type: text/event-stream\r\n"), answer);
        assertTrue(answer.contains("\r\nCache-control: no-store\r\n"), answer);
        String expected = """
            retry: 3000

            data: plain

            data: two
            data: lines
            data:\s

            data:\s

            event: price
            id: 7
            data: gr\u00fc\u00df

            """;
        assertEquals(expected, events(answer));
    }

    @Test
    void aReconnectingClientSendsItsLastEventId() throws Exception {
        var server = start(
                ThreadStrategy.virtual(),
                events -> events.send(
                        HttpParameters.ofQuery(events.exchange()).find("from").orElse("start") + " "
                                + events.lastEventId().orElse("none")));
        assertEquals("data: start none\n\n", events(answer(server, "")));
        assertEquals("data: start 7\n\n", events(answer(server, "Last-Event-ID: 7\r\n")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\rb", "a\0b"})
    void aNameOrIdWithALineBreakIsRefused(String wrong) throws Exception {
        var server = start(ThreadStrategy.virtual(), events -> {
            assertThrows(IllegalArgumentException.class, () -> events.send(wrong, null, "data"));
            assertThrows(IllegalArgumentException.class, () -> events.send(null, wrong, "data"));
            events.send("fine");
        });
        assertEquals("data: fine\n\n", events(answer(server, "")));
    }

    @Test
    void aNegativeTimeIsRefused() throws Exception {
        var server = start(ThreadStrategy.virtual(), events -> {
            for (Executable call : List.<Executable>of(
                    () -> events.retryAfter(Duration.ofSeconds(-1)), () -> events.pause(Duration.ofSeconds(-1)))) {
                var e = assertThrows(IllegalArgumentException.class, call);
                events.send(e.getMessage());
            }
        });
        String times = events(answer(server, ""));
        assertTrue(times.contains("data: wait must not be negative, but is PT-1S"), times);
        assertTrue(times.contains("data: time must not be negative, but is PT-1S"), times);
    }

    @AllStrategies
    void aStopEndsTheStreamInOrder(ThreadStrategy strategy) throws Exception {
        var open = new CountDownLatch(1);
        var pauses = new CompletableFuture<Boolean>();
        var told = new CompletableFuture<Boolean>();
        var server = start(strategy, events -> {
            events.onStop(() -> told.complete(true));
            events.send("first");
            open.countDown();
            pauses.complete(events.pause(HOUR));
            events.send("last");
        });
        try (var client = new Client(server.port())) {
            client.send(GET + "\r\n");
            assertTrue(open.await(60, TimeUnit.SECONDS));
            assertFalse(told.isDone());
            assertTrue(server.close(HOUR));
            assertFalse(pauses.get(60, TimeUnit.SECONDS));
            assertTrue(told.get(60, TimeUnit.SECONDS));
            assertEquals("data: first\n\ndata: last\n\n", events(client.receiveAll()));
        }
    }

    @Test
    void aStopActionAddedAfterTheStopRunsAtOnceAndOnlyOnce() throws Exception {
        var open = new CountDownLatch(1);
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        var server = start(ThreadStrategy.virtual(), events -> {
            events.onStop(() -> {
                throw new IllegalStateException("thrown on purpose");
            });
            open.countDown();
            while (!events.isStopping()) {
                events.pause(HOUR);
            }
            events.onStop(() -> told.add("late"));
            events.onStop(() -> told.add("later"));
        });
        try (var log = new LogLines();
                var client = new Client(server.port())) {
            client.send(GET + "\r\n");
            assertTrue(open.await(60, TimeUnit.SECONDS));
            assertTrue(server.close(HOUR));
            assertEquals(List.of("late", "later"), told);
            assertEquals(1, log.with("ERROR", "action for the stop").size(), log::text);
        }
    }

    /** The handler may return before the thread that stops the stream has run the action. */
    @Test
    void theActionRunsEvenIfTheHandlerReturnsAtOnce() throws Exception {
        var actions = new AtomicInteger();
        var server = start(ThreadStrategy.virtual(), events -> {
            events.onStop(actions::incrementAndGet);
            Thread.ofPlatform().start(events::stop);
            while (!events.isStopping()) {
                Thread.onSpinWait();
            }
        });
        int rounds = 1_000;
        for (int i = 0; i < rounds; i++) {
            assertEquals("", events(answer(server, "")));
        }
        assertEquals(rounds, actions.get());
    }

    /** Otherwise two threads would wait for each other if the action needs a lock that this thread holds. */
    @Test
    void aStopDoesNotWaitForAnActionOfAnotherThread() throws Exception {
        var saved = new CompletableFuture<EventStream>();
        var begun = new CountDownLatch(1);
        var stopped = new CountDownLatch(1);
        var server = start(ThreadStrategy.virtual(), events -> {
            events.onStop(() -> {
                begun.countDown();
                Await.latch(stopped);
            });
            saved.complete(events);
            events.pause(HOUR);
        });
        try (var client = new Client(server.port())) {
            client.send(GET + "\r\n");
            EventStream events = Await.value(saved);
            Thread first = Thread.startVirtualThread(events::stop);
            Await.latch(begun);
            Thread second = Thread.startVirtualThread(events::stop);
            Await.thread(second);
            stopped.countDown();
            Await.thread(first);
            assertEquals("", events(client.receiveAll()));
        }
    }

    /** Its thread may already run another actor. */
    @Test
    void noStopActionRunsAfterTheEndOfTheStream() throws Exception {
        var saved = new CompletableFuture<EventStream>();
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        var server = start(ThreadStrategy.virtual(), events -> {
            events.onStop(() -> told.add("before the end"));
            saved.complete(events);
        });
        assertEquals("", events(answer(server, "")));
        EventStream events = saved.get(60, TimeUnit.SECONDS);
        await().until(() -> server.stats().inWork() == 0);
        events.stop();
        events.onStop(() -> told.add("after the end"));
        assertEquals(List.of(), told);
    }

    /** Neither the other actions nor the stop of the server depend on it. */
    @Test
    void anErrorOfAStopActionIsLogged() throws Exception {
        var stopped = new CompletableFuture<Boolean>();
        var open = new CountDownLatch(1);
        var server = start(ThreadStrategy.virtual(), events -> {
            events.onStop(() -> {
                throw new AssertionError("thrown on purpose");
            });
            events.onStop(() -> stopped.complete(true));
            open.countDown();
            while (events.pause(HOUR)) {
                events.send("late");
            }
        });
        try (var log = new LogLines();
                var client = new Client(server.port())) {
            client.send(GET + "\r\n");
            assertTrue(open.await(60, TimeUnit.SECONDS));
            assertTrue(server.close(HOUR));
            assertTrue(stopped.get(60, TimeUnit.SECONDS));
            assertEquals(1, log.with("ERROR", "action for the stop").size(), log::text);
        }
    }

    @AllStrategies
    void aDisconnectingClientIsNotAFailure(ThreadStrategy strategy) throws Exception {
        var thrown = new CompletableFuture<Exception>();
        try (var log = new LogLines()) {
            var server = start(strategy, events -> {
                try {
                    while (true) {
                        events.send("x".repeat(10_000));
                    }
                } catch (IOException e) {
                    thrown.complete(e);
                    throw e;
                }
            });
            try (var client = new Client(server.port())) {
                client.send(GET + "\r\n").receive(10_000);
                client.reset();
            }
            assertTrue(thrown.get(60, TimeUnit.SECONDS) instanceof IOException);
            await().until(() -> server.stats().inWork() == 0);
            assertEquals(1, server.stats().incomplete());
            assertEquals(List.of(), log.with("ERROR"));
            assertEquals(List.of(), log.with("INFO"));
        }
    }

    @Test
    void aFailureOfTheHandlerCutsTheStream() throws Exception {
        try (var log = new LogLines()) {
            var server = start(ThreadStrategy.virtual(), events -> {
                events.send("one");
                throw new IllegalStateException("thrown on purpose");
            });
            assertEquals("data: one\n\n", events(answer(server, "")));
            server.close();
            assertEquals(1, log.with("ERROR", "failed to handle GET /events").size(), log::text);
        }
    }

    /** Also from several threads, and not after the end. */
    @Test
    void eventsAreNotMixed() throws Exception {
        var kept = new CompletableFuture<EventStream>();
        var server = start(ThreadStrategy.virtual(), events -> {
            var senders = new ArrayList<Thread>();
            for (int t = 0; t < 4; t++) {
                String data = "" + t;
                senders.add(Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < 100; i++) {
                        assertSends(events, data + "\n" + data);
                    }
                }));
            }
            for (Thread sender : senders) {
                sender.join();
            }
            kept.complete(events);
        });
        var events = List.of(events(answer(server, "")).split("\n\n", -1));
        assertEquals(401, events.size());
        assertEquals("", events.getLast());
        for (String event : events.subList(0, 400)) {
            assertTrue(event.matches("data: (\\d)\ndata: \\1"), event);
        }
        assertThrows(IOException.class, () -> kept.join().send("late"));
    }

    private static void assertSends(EventStream events, String data) {
        try {
            events.send(data);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
