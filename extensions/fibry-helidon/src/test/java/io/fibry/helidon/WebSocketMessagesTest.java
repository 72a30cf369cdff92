package io.fibry.helidon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.Sink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages of a client reach the actor of its session, and messages of any actor reach the client. */
@Timeout(60)
class WebSocketMessagesTest {

    private static final int SESSIONS = 8;
    private static final int MESSAGES = 10_000;

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        assertTrue(system.close(Servers.LONG));
    }

    private RawClient echo(WebSocketOptions options) throws Exception {
        return new RawClient(Servers.start(system, Servers.ECHO, options).port(), "/ws");
    }

    @Test
    void textAndBinaryMessagesAreHandledAndAnswered() throws Exception {
        try (var client = echo(Servers.PATIENT)) {
            client.text("Grüße");
            assertEquals("Grüße", client.read().text());
            client.frame(RawClient.BINARY, true, new byte[] {0, -1});
            RawClient.Frame answer = client.read();
            assertEquals(RawClient.BINARY, answer.opcode());
            assertArrayEquals(new byte[] {0, -1}, answer.payload());
            client.text("");
            assertEquals("", client.read().text());
        }
    }

    @Test
    void anyActorMayAnswer() throws Exception {
        Sink<Set<WebSocketSession>> room = system.actor().newSink(new HashSet<>());
        WebSocketEndpoint chat = (session, actors) -> {
            room.execute(all -> all.add(session));
            return actors.newActor(message -> room.execute(all -> all.forEach(one -> one.tell(message))));
        };
        HelidonServer server = Servers.start(system, chat, WebSocketOptions.defaults());
        try (var ann = new RawClient(server.port(), "/ws")) {
            ann.text("first");
            assertEquals("first", ann.read().text());
            try (var bob = new RawClient(server.port(), "/ws")) {
                bob.text("hello");
                assertEquals("hello", ann.read().text());
                assertEquals("hello", bob.read().text());
            }
        }
    }

    @Test
    void oneActorMayServeAllSessions() throws Exception {
        Sink<List<String>> all = system.actor().newSink(new ArrayList<>());
        Actor<WebSocketMessage> log = system.actor()
                .newActor((WebSocketMessage message) -> all.execute(list -> list.add(message.toString())));
        HelidonServer server = Servers.start(system, (session, actors) -> log, WebSocketOptions.defaults());
        try (var ann = new RawClient(server.port(), "/ws");
                var bob = new RawClient(server.port(), "/ws")) {
            ann.text("a");
            ann.close(1000);
            assertEquals(RawClient.CLOSE, ann.read().opcode());
            bob.text("b");
            bob.close(1000);
            assertEquals(RawClient.CLOSE, bob.read().opcode());
        }
        assertTrue(server.close(Servers.LONG));
        assertTrue(log.tryTell(new WebSocketMessage.Text("c")), "it has not ended with the sessions");
        assertTrue(log.close(Servers.LONG));
        assertEquals(Set.of("Text[text=a]", "Text[text=b]", "Text[text=c]"), new HashSet<>(all.call(list -> list)));
    }

    @Test
    void framesAreJoined() throws Exception {
        try (var client = echo(Servers.PATIENT)) {
            client.frame(RawClient.TEXT, false, "one ".getBytes(UTF_8));
            client.frame(RawClient.PING, true, new byte[] {7});
            RawClient.Frame pong = client.read();
            assertEquals(RawClient.PONG, pong.opcode());
            assertArrayEquals(new byte[] {7}, pong.payload());
            client.frame(RawClient.CONTINUATION, false, "two ".getBytes(UTF_8));
            client.frame(RawClient.CONTINUATION, true, "three".getBytes(UTF_8));
            assertEquals("one two three", client.read().text());
            client.frame(RawClient.BINARY, false, new byte[] {1});
            client.frame(RawClient.CONTINUATION, true, new byte[] {2, 3});
            assertArrayEquals(new byte[] {1, 2, 3}, client.read().payload());
        }
    }

    @Test
    void aMessageHasALimitInBytes() throws Exception {
        WebSocketOptions options = Servers.PATIENT.maxMessageBytes(200_000);
        try (var client = echo(options)) {
            client.text("x".repeat(200_000));
            assertEquals(200_000, client.read().payload().length);
            client.text("x".repeat(200_001));
            assertEquals(1009, client.read().closeCode());
        }
        try (var client = echo(options)) {
            client.frame(RawClient.TEXT, false, new byte[150_000]);
            client.frame(RawClient.CONTINUATION, true, "ü".repeat(30_000).getBytes(UTF_8));
            assertEquals(1009, client.read().closeCode());
        }
        try (var client = echo(options)) {
            client.frame(RawClient.BINARY, false, new byte[150_000]);
            client.frame(RawClient.CONTINUATION, false, new byte[50_001]);
            assertEquals(1009, client.read().closeCode());
        }
    }

    @Test
    void endpointsOfOneServerHaveTheirOwnLimits() throws Exception {
        HelidonServer server = Servers.start(
                system,
                HelidonRoutes.none()
                        .webSocket("/small", Servers.ECHO, Servers.PATIENT.maxMessageBytes(10))
                        .webSocket("/large", Servers.ECHO, Servers.PATIENT.maxMessageBytes(1_000)));
        try (var small = new RawClient(server.port(), "/small");
                var large = new RawClient(server.port(), "/large")) {
            large.text("x".repeat(1_000));
            assertEquals(1_000, large.read().payload().length);
            small.text("x".repeat(11));
            assertEquals(1009, small.read().closeCode());
        }
    }

    @Test
    void aCharacterMayBeDividedBetweenFrames() throws Exception {
        byte[] bytes = "ü".getBytes(UTF_8);
        try (var client = echo(Servers.PATIENT)) {
            client.frame(RawClient.TEXT, false, Arrays.copyOf(bytes, 1));
            client.frame(RawClient.CONTINUATION, true, Arrays.copyOfRange(bytes, 1, 2));
            assertEquals("ü", client.read().text());
        }
    }

    @Test
    void aTextThatIsNotUtf8IsRefused() throws Exception {
        try (var client = echo(Servers.PATIENT)) {
            client.frame(RawClient.TEXT, true, new byte[] {(byte) 0xC3});
            assertEquals(1007, client.read().closeCode());
            assertTrue(client.isAtEnd());
        }
    }

    @Test
    void framesOutOfPlaceAreRefused() throws Exception {
        try (var client = echo(Servers.PATIENT)) {
            client.frame(RawClient.CONTINUATION, true, new byte[1]);
            assertEquals(1002, client.read().closeCode());
        }
        try (var client = echo(Servers.PATIENT)) {
            client.frame(RawClient.TEXT, false, new byte[1]);
            client.frame(RawClient.TEXT, true, new byte[1]);
            assertEquals(1002, client.read().closeCode());
        }
        try (var client = echo(Servers.PATIENT)) {
            client.frame(5, true, new byte[1]); // no such frame
            assertEquals(1002, client.read().closeCode());
        }
        try (var client = echo(Servers.PATIENT)) {
            client.frame(RawClient.PING, true, new byte[126]); // too long for a control frame
            assertEquals(1002, client.read().closeCode());
        }
    }

    /**
     * The client reads nothing until it has sent half of its messages: the outbox, the inbox and the sockets are full
     * then.
     */
    @Test
    void eightSessionsKeepTheirOrder() throws Exception {
        HelidonServer server = Servers.start(system, Servers.ECHO, Servers.PATIENT.inbox(16));
        try (var threads = Executors.newFixedThreadPool(2 * SESSIONS)) {
            var results = new ArrayList<Future<?>>();
            for (int i = 0; i < SESSIONS; i++) {
                var client = new RawClient(server.port(), "/ws");
                results.add(threads.submit(() -> sendAll(client)));
                results.add(threads.submit(() -> expectAll(client)));
            }
            for (Future<?> result : results) {
                result.get();
            }
        }
    }

    private static Void sendAll(RawClient client) throws Exception {
        for (int i = 0; i < MESSAGES; i++) {
            client.text("message " + i);
        }
        return null;
    }

    private static Void expectAll(RawClient client) throws Exception {
        try (client) {
            for (int i = 0; i < MESSAGES; i++) {
                assertEquals("message " + i, client.read().text());
            }
        }
        return null;
    }

    /** Messages of several threads arrive whole, and those of each thread in its order. */
    @Test
    void manyActorsMaySendAtOnce() throws Exception {
        var opened = new CompletableFuture<WebSocketSession>();
        HelidonServer server = Servers.start(
                system,
                (session, actors) -> {
                    opened.complete(session);
                    return actors.newActor(message -> {});
                },
                Servers.PATIENT);
        try (var client = new RawClient(server.port(), "/ws");
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            WebSocketSession session = opened.get();
            var senders = new ArrayList<Future<?>>();
            for (int t = 0; t < 4; t++) {
                int sender = t;
                Callable<Void> task = () -> {
                    for (int i = 0; i < 1_000; i++) {
                        assertTrue(session.send(sender + " " + i));
                    }
                    return null;
                };
                senders.add(threads.submit(task));
            }
            int[] next = new int[4];
            for (int i = 0; i < 4_000; i++) {
                String[] words = client.read().text().split(" ", -1);
                int sender = Integer.parseInt(words[0]);
                assertEquals(next[sender]++, Integer.parseInt(words[1]));
            }
            for (Future<?> sender : senders) {
                sender.get();
            }
        }
    }
}
