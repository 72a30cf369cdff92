package io.fibry.helidon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.Supervision;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every end of a connection is the end of its actors, and the other way round. */
@Timeout(60)
class WebSocketEndTest {

    private static final WebSocketOptions OPTIONS = WebSocketOptions.defaults();

    private final ActorSystem system = ActorSystem.create();
    private final CompletableFuture<WebSocketSession> opened = new CompletableFuture<>();
    private final CompletableFuture<Actor<WebSocketMessage>> handler = new CompletableFuture<>();
    private final List<String> handled = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        assertTrue(system.close(Servers.LONG));
    }

    private final WebSocketEndpoint endpoint = (session, actors) -> {
        opened.complete(session);
        Actor<WebSocketMessage> actor = actors.onStop(exit -> handled.add("the end"))
                .newActor(message -> handled.add(((WebSocketMessage.Text) message).text()));
        handler.complete(actor);
        return actor;
    };

    private RawClient connect(WebSocketEndpoint to, WebSocketOptions options) throws Exception {
        return new RawClient(Servers.start(system, to, options).port(), "/ws");
    }

    private ActorExit exit() throws Exception {
        return opened.get().exit().get(60, TimeUnit.SECONDS);
    }

    private CloseStatus closeStatus() throws Exception {
        exit();
        return opened.get().closeStatus().orElseThrow();
    }

    @Test
    void theClientCloses() throws Exception {
        try (var client = connect(endpoint, OPTIONS)) {
            client.text("one");
            client.text("two");
            client.close(4321);
            assertEquals(RawClient.CLOSE, client.read().opcode());
            assertTrue(client.isAtEnd());
        }
        assertEquals(4321, closeStatus().code());
        assertTrue(closeStatus().byClient());
        assertTrue(exit().isNormal());
        assertEquals(List.of("one", "two", "the end"), handled);
        assertFalse(opened.get().send("too late"));
    }

    /** The end of the input tells so: no ping is needed for that. */
    @Test
    void theClientIsLost() throws Exception {
        var client = connect(endpoint, OPTIONS.pingPeriod(null).idleTimeout(Duration.ofHours(1)));
        client.text("one");
        opened.get();
        client.close();
        assertEquals(CloseStatus.LOST, closeStatus().code());
        assertTrue(exit().isNormal());
        assertEquals(List.of("one", "the end"), handled);
    }

    /** No timeout ends the session here. */
    @Test
    void anErrorOfTheEndpointEndsTheSession() throws Exception {
        WebSocketEndpoint failing = (session, actors) -> {
            opened.complete(session);
            throw new AssertionError("on purpose");
        };
        var options = OPTIONS.pingPeriod(null).idleTimeout(Duration.ofHours(1));
        try (var client = connect(failing, options)) {
            assertEquals(1011, client.read().closeCode());
            client.close(1000);
            assertTrue(client.isAtEnd());
        }
        assertEquals(1011, closeStatus().code());
    }

    @Test
    void theServerClosesASession() throws Exception {
        try (var client = connect(endpoint, OPTIONS)) {
            WebSocketSession session = opened.get();
            assertEquals(Optional.empty(), session.closeStatus());
            session.send("last words");
            session.close(3000, "done");
            assertFalse(session.send("too late"));
            assertEquals("last words", client.read().text());
            RawClient.Frame close = client.read();
            assertEquals(3000, close.closeCode());
            assertEquals("done", close.text().substring(2));
            client.close(3000);
            assertTrue(client.isAtEnd());
        }
        assertEquals(new CloseStatus(3000, "done", false), closeStatus());
    }

    @Test
    void codesThatMustNotBeSentAreRefused() throws Exception {
        try (var client = connect(endpoint, OPTIONS)) {
            WebSocketSession session = opened.get();
            for (int code : new int[] {0, 999, 1004, 1005, 1006, 1015, 2999, 5000}) {
                assertThrows(IllegalArgumentException.class, () -> session.close(code, ""));
            }
            assertThrows(IllegalArgumentException.class, () -> session.close(1000, "x".repeat(124)));
            session.close(1000, "x".repeat(123));
            assertEquals(1000, client.read().closeCode());
        }
    }

    @Test
    void theSessionsActorStops() throws Exception {
        try (var client = connect(endpoint, OPTIONS)) {
            handler.get().stop();
            assertEquals(1000, client.read().closeCode());
        }
        assertEquals(1000, closeStatus().code());
    }

    @Test
    void theSessionsActorFails() throws Exception {
        WebSocketEndpoint fails = (session, actors) -> {
            opened.complete(session);
            return actors.supervision(Supervision.stop()).newActor(message -> {
                throw new IllegalStateException("on purpose");
            });
        };
        try (var client = connect(fails, OPTIONS)) {
            client.text("one");
            assertEquals(1011, client.read().closeCode());
        }
        assertEquals(1011, closeStatus().code());
    }

    @Test
    void theEndpointFails() throws Exception {
        WebSocketEndpoint fails = (session, actors) -> {
            opened.complete(session);
            throw new IOException("on purpose");
        };
        try (var client = connect(fails, OPTIONS)) {
            assertEquals(1011, client.read().closeCode());
        }
        assertEquals(1011, closeStatus().code());
    }

    @Test
    void anActorMayWatchASession() throws Exception {
        var seen = new CompletableFuture<ActorExit>();
        var client = connect(endpoint, OPTIONS);
        WebSocketSession session = opened.get();
        system.actor().newActorFrom(context -> {
            context.watch(session, seen::complete);
            return message -> {};
        });
        client.close();
        assertTrue(seen.get(60, TimeUnit.SECONDS).isNormal());
    }

    @Test
    void aQuietClientIsPingedAndStays() throws Exception {
        WebSocketOptions options = OPTIONS.pingPeriod(Duration.ofMillis(50)).idleTimeout(Duration.ofSeconds(60));
        try (var client = connect(endpoint, options)) {
            for (int i = 0; i < 3; i++) {
                RawClient.Frame ping = client.read();
                assertEquals(RawClient.PING, ping.opcode());
                client.frame(RawClient.PONG, true, ping.payload());
            }
            opened.get().send("still here");
            assertEquals("still here", client.readPastPings().text());
        }
    }

    /** The second ping of another session shows that the server has checked all sessions. */
    @Test
    void timeoutsMayBeForever() throws Exception {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        HelidonRoutes routes = HelidonRoutes.none()
                .webSocket(
                        "/patient",
                        Servers.ECHO,
                        OPTIONS.idleTimeout(forever).pingPeriod(forever).writeTimeout(forever))
                .webSocket("/pinged", Servers.ECHO, OPTIONS.pingPeriod(Duration.ofMillis(50)));
        HelidonServer server = Servers.start(system, routes);
        try (var patient = new RawClient(server.port(), "/patient");
                var pinged = new RawClient(server.port(), "/pinged")) {
            for (int i = 0; i < 2; i++) {
                RawClient.Frame ping = pinged.read();
                assertEquals(RawClient.PING, ping.opcode());
                pinged.frame(RawClient.PONG, true, ping.payload());
            }
            patient.text("still here");
            assertEquals("still here", patient.read().text());
        }
    }

    @Test
    void aClientThatAnswersNoPingIsClosed() throws Exception {
        WebSocketOptions options = OPTIONS.pingPeriod(Duration.ofMillis(50)).idleTimeout(Duration.ofMillis(300));
        try (var client = connect(endpoint, options)) {
            assertEquals(RawClient.PING, client.read().opcode());
            assertEquals(1001, client.read().closeCode());
        }
        assertEquals("idle timeout", closeStatus().reason());
    }

    @Test
    void aClientThatAnswersNoCloseIsCut() throws Exception {
        WebSocketOptions options = OPTIONS.writeTimeout(Duration.ofMillis(100));
        try (var client = connect(endpoint, options)) {
            opened.get().close(1000, "");
            assertEquals(1000, client.read().closeCode());
            assertTrue(client.isAtEnd());
        }
        exit();
    }

    /** Its actor is slow. The client has sent enough, so it is not idle, however long it takes. */
    @Test
    void aConnectionThatAwaitsAResponseIsNotIdle() throws Exception {
        var goOn = new CountDownLatch(1);
        WebSocketEndpoint slow = (session, actors) -> {
            opened.complete(session);
            return actors.newActor(message -> {
                goOn.await();
                session.send("done");
            });
        };
        WebSocketOptions options = OPTIONS.inbox(1).pingPeriod(null).idleTimeout(Duration.ofMillis(100));
        try (var client = connect(slow, options)) {
            for (int i = 0; i < 3; i++) {
                client.text("work"); // the first is running, the second waits, the reader waits with the third
            }
            assertFalse(opened.get().waitForExit(Duration.ofSeconds(1)));
            goOn.countDown();
            assertEquals("done", client.read().text());
        }
    }

    @Test
    void aHardStopCutsTheConnection() throws Exception {
        try (var client = connect(endpoint, OPTIONS)) {
            opened.get().stop(StopMode.DISCARD);
            assertTrue(client.isAtEnd());
        }
        assertEquals(CloseStatus.LOST, closeStatus().code());
    }
}
