package io.fibry.helidon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorExit;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that does not read fills its own outbox, and nothing else. */
@Timeout(60)
class SlowClientTest {

    private static final String KILOBYTE = "x".repeat(1_000);
    private static final int SMALL = 4_096; // its receive buffer
    private static final int MOST = 100_000; // more than the buffers of two sockets have room for

    private final ActorSystem system = ActorSystem.create();
    private final BlockingQueue<WebSocketSession> opened = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        boolean unused = system.close(Duration.ofSeconds(2)); // forces the stop
        assertTrue(system.close(Servers.LONG));
    }

    private HelidonServer start(WebSocketOptions options) {
        return Servers.start(
                system,
                (session, actors) -> {
                    opened.add(session);
                    return actors.newActor(session::tell);
                },
                options);
    }

    private WebSocketSession next() throws InterruptedException {
        return Objects.requireNonNull(opened.poll(60, TimeUnit.SECONDS));
    }

    /** Sends until the outbox is full; returns how many were accepted. */
    private static int fill(WebSocketSession session) {
        int sent = 0;
        while (sent < MOST && session.send(sent + " " + KILOBYTE)) {
            sent++;
        }
        return sent;
    }

    private static int number(RawClient.Frame frame) {
        return Integer.parseInt(frame.text().substring(0, frame.text().indexOf(' ')));
    }

    @Test
    void aFullOutboxRefusesMessagesAndOtherSessionsContinue() throws Exception {
        HelidonServer server = start(WebSocketOptions.defaults().outbox(10, Overflow.FAIL));
        try (var slow = new RawClient(server.port(), "/ws", SMALL)) {
            WebSocketSession session = next();
            int sent = fill(session);
            assertTrue(sent < MOST, "refused at last");
            assertTrue(session.mailboxSize().orElseThrow() <= 10);
            try (var other = new RawClient(server.port(), "/ws")) {
                other.text("hello");
                assertEquals("hello", other.read().text());
            }
            for (int i = 0; i < sent; i++) { // nothing that was accepted is lost
                assertTrue(slow.read().text().startsWith(i + " "));
            }
        }
    }

    @Test
    void theOldestMessagesMayBeDropped() throws Exception {
        HelidonServer server = start(WebSocketOptions.defaults().outbox(10, Overflow.DROP_OLDEST));
        try (var slow = new RawClient(server.port(), "/ws", SMALL)) {
            WebSocketSession session = next();
            for (int i = 0; i < 30_000; i++) {
                assertTrue(session.send(i + " " + KILOBYTE));
            }
            assertTrue(session.mailboxSize().orElseThrow() <= 10);
            int last = -1;
            while (last < 29_999) {
                int number = number(slow.read());
                assertTrue(number > last, "in order");
                last = number;
            }
        }
    }

    @Test
    void aSenderThatWaitsIsReleasedWhenTheClientIsCut() throws Exception {
        HelidonServer server = start(WebSocketOptions.defaults()
                .outbox(1, Overflow.BLOCK)
                .writeTimeout(Duration.ofMillis(300))
                .pingPeriod(null));
        try (var slow = new RawClient(server.port(), "/ws", SMALL)) {
            WebSocketSession session = next();
            assertTrue(fill(session) < MOST, "the session has ended");
            assertEquals("HTTP/1.1 101 Switching Protocols", slow.status);
            assertTrue(session.waitForExit(Servers.LONG));
            CloseStatus status = session.closeStatus().orElseThrow();
            assertEquals(CloseStatus.LOST, status.code());
            assertEquals("the client was too slow", status.reason());
        }
    }

    /** It sends pings and reads no pong: only the newest ping is remembered. */
    @Test
    void pingsDoNotPileUp() throws Exception {
        HelidonServer server = start(WebSocketOptions.defaults().outbox(4, Overflow.FAIL));
        try (var slow = new RawClient(server.port(), "/ws", SMALL)) {
            WebSocketSession session = next();
            fill(session);
            for (int i = 0; i < 20_000; i++) {
                slow.frame(RawClient.PING, true, new byte[125]);
            }
            slow.frame(RawClient.PING, true, new byte[] {42});
            int pongs = 0;
            for (RawClient.Frame frame = slow.read(); ; frame = slow.read()) {
                if (frame.opcode() == RawClient.PONG) {
                    pongs++;
                    if (frame.payload().length == 1) {
                        break;
                    }
                }
            }
            assertTrue(pongs < 20_000, pongs + " pongs");
        }
    }

    /** The drain waits for it, and the end of the deadline does not. */
    @Test
    void aServerIsClosedInSpiteOfIt() throws Exception {
        HelidonServer server = start(WebSocketOptions.defaults().outbox(10, Overflow.FAIL));
        try (var slow = new RawClient(server.port(), "/ws", SMALL)) {
            WebSocketSession session = next();
            fill(session);
            assertEquals("HTTP/1.1 101 Switching Protocols", slow.status);
            CompletableFuture<ActorExit> exit = session.exit();
            boolean unused = server.close(Duration.ofMillis(200)); // forces the stop
            assertTrue(server.close(Servers.LONG));
            assertTrue(exit.isDone());
            assertFalse(session.send("too late"));
        }
    }

    @Test
    void aClientThatSendsTooMuchHasToWait() throws Exception {
        var goOn = new CountDownLatch(1);
        HelidonServer server = Servers.start(
                system,
                (session, actors) -> {
                    opened.add(session);
                    return actors.newActor(message -> {
                        goOn.await();
                        session.tell(message);
                    });
                },
                Servers.PATIENT.inbox(5));
        try (var client = new RawClient(server.port(), "/ws")) {
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < 30_000; i++) {
                        client.text(i + " " + KILOBYTE);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertFalse(sender.join(Duration.ofMillis(500)), "it waits for the server");
            goOn.countDown();
            for (int i = 0; i < 30_000; i++) {
                assertTrue(client.read().text().startsWith(i + " "));
            }
        }
    }
}
