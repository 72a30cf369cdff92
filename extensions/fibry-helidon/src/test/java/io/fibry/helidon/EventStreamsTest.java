package io.fibry.helidon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events reach all clients in order, and a stop ends their streams. */
@Timeout(60)
class EventStreamsTest {

    private final ActorSystem system = ActorSystem.create();
    private final EventStreams events = EventStreams.create(10);
    private final HelidonServer server =
            Servers.start(system, HelidonRoutes.none().events("/events", events));

    @AfterEach
    void close() {
        assertTrue(system.close(Servers.LONG));
    }

    private HttpResponse<Stream<String>> connect(HttpClient client) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/events"))
                        .build(),
                BodyHandlers.ofLines());
    }

    @ParameterizedTest
    @EnumSource
    void eventsArriveAndAStopEndsTheStream(Version version) throws Exception {
        try (var client = HttpClient.newBuilder().version(version).build()) {
            HttpResponse<Stream<String>> response = connect(client);
            assertEquals(version, response.version());
            assertEquals(
                    "text/event-stream",
                    response.headers().firstValue("content-type").orElseThrow());
            Iterator<String> lines = response.body().iterator();
            assertEquals(":", lines.next());
            assertEquals("", lines.next());
            assertEquals(1, events.clients());
            events.publish("one");
            assertEquals("data: one", lines.next());
            assertEquals("", lines.next());
            system.actor()
                    .newActor((String text) -> events.publish(new StreamEvent("price", "7", text)))
                    .tell("two\nlines");
            assertEquals("id: 7", lines.next());
            assertEquals("event: price", lines.next());
            assertEquals("data: two", lines.next());
            assertEquals("data: lines", lines.next());
            assertEquals("", lines.next());
            events.publish("last");
            server.stop();
            assertEquals("data: last", lines.next());
            assertEquals("", lines.next());
            assertTrue(!lines.hasNext(), "the end");
            server.waitForExit();
            assertEquals(0, events.clients());
        }
    }

    @Test
    void aSlowClientIsDisconnectedAndOthersContinue() throws Exception {
        try (var client = HttpClient.newHttpClient();
                var slow = new Socket()) {
            slow.setReceiveBufferSize(4_096);
            slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            slow.getOutputStream()
                    .write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            var in = new BufferedReader(new InputStreamReader(slow.getInputStream(), StandardCharsets.UTF_8));
            assertEquals("HTTP/1.1 200 OK", in.readLine());
            Iterator<String> other = connect(client).body().iterator();
            assertEquals(":", other.next());
            assertEquals("", other.next());
            while (events.clients() < 2) {
                Thread.onSpinWait();
            }
            int sent = 0;
            while (events.clients() == 2) {
                events.publish(sent + " " + "x".repeat(1_000));
                assertTrue(other.next().startsWith("data: " + sent));
                assertEquals("", other.next());
                sent++;
            }
            events.publish("still there");
            assertEquals("data: still there", other.next());
            boolean unused = server.close(Duration.ofMillis(200)); // forces the stop
            assertTrue(server.close(Servers.LONG), "in spite of the slow client");
        }
    }

    @Test
    void aClientThatIsGoneIsForgotten() throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            Stream<String> lines = connect(client).body();
            lines.iterator().next();
            lines.close();
        }
        while (events.clients() > 0) {
            events.publish("anybody?");
        }
    }

    @Test
    void anEventCannotForgeAnother() {
        assertThrows(IllegalArgumentException.class, () -> new StreamEvent("a\ndata: b", "", ""));
        assertThrows(IllegalArgumentException.class, () -> new StreamEvent("", "1\r2", ""));
        assertEquals("data: a\ndata: b\ndata: \ndata: c\n\n", text(StreamEvent.of("a\r\nb\r\rc")));
        assertEquals("data: \n\n", text(StreamEvent.of("")));
    }

    private static String text(StreamEvent event) {
        return new String(event.toBytes(), StandardCharsets.UTF_8);
    }
}
