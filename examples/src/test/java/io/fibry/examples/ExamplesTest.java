package io.fibry.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.examples.tls.Keys;
import io.fibry.net.UdpOptions;
import io.fibry.stereotypes.Stereotypes;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs every example except the Tour and the example that requires {@code ab}; servers use free ports. */
@Timeout(120)
class ExamplesTest {

    @Test
    void requestReply() throws Exception {
        String output = Output.of(() -> RequestReply.main(new String[] {"1000"}));
        assertTrue(output.contains("The sum of the first 1000 squares is 333833500."), output);
    }

    @Test
    void millionSinks() throws Exception {
        String output = Output.of(() -> MillionSinks.main(new String[] {}));
        assertTrue(output.contains("1000000 of them have run a task and ended."), output);
    }

    @Test
    void runOncePipeline() throws Exception {
        String output = Output.of(() -> RunOncePipeline.main(new String[] {"12"}));
        assertEquals("""
            2 is prime
            3 is prime
            5 is prime
            7 is prime
            11 is prime
            These are all primes up to 12.
            """, output.replace(System.lineSeparator(), "\n"));
    }

    /** The heap has room for a quarter of the transferred data. */
    @Test
    void boundedPipeline() throws Exception {
        Map<String, String> smallHeap = Map.of("JDK_JAVA_OPTIONS", "-Xmx24m -XX:+ExitOnOutOfMemoryError");
        try (var program = new Program(smallHeap, "BoundedPipeline", "6000")) {
            String output = program.rest();
            assertTrue(output.contains("6000 of 6000 blocks arrived in order and intact: 98 MB."), output);
            int mostAtATime = Integer.parseInt(output.replaceFirst("(?s).*At most (\\d+) blocks.*", "$1"));
            assertTrue(mostAtATime <= 19, output); // 8 in each mailbox, 1 in each actor
        }
    }

    /** Each failed fetcher is restarted once, except possibly the last ones. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void flakyCrawler(long seed) throws Exception {
        Crawl crawl = crawl(seed);
        assertEquals(crawl.requests, crawl.found - crawl.givenUp + crawl.failed, crawl.output);
        assertTrue(crawl.failed >= 3 * crawl.givenUp, crawl.output);
        assertTrue(crawl.restarts >= crawl.failed - 4 && crawl.restarts <= crawl.failed, crawl.output);
    }

    @Test
    void theSameSeedGivesTheSameCrawl() throws Exception {
        String expected = "100 pages found, 4 of them given up after 3 attempts; 48 of 144 requests failed, ";
        assertEquals(expected, crawl(42).output.replaceFirst("\\d+ restarts.\\s*", ""));
    }

    private record Crawl(String output, int found, int givenUp, int failed, int requests, int restarts) {}

    private static Crawl crawl(long seed) throws Exception {
        String output = Output.of(() -> FlakyCrawler.main(new String[] {Long.toString(seed)}));
        int[] figures = Pattern.compile("\\d+")
                .matcher(output)
                .results()
                .mapToInt(m -> Integer.parseInt(m.group()))
                .toArray();
        return new Crawl(output, figures[0], figures[1], figures[3], figures[4], figures[5]);
    }

    @ParameterizedTest
    @ValueSource(longs = {42, 43})
    void chaosFleet(long seed) throws Exception {
        String output = Output.of(() -> ChaosFleet.main(new String[] {"1000", Long.toString(seed)}));
        assertTrue(output.startsWith("1000 jobs are done, 0 of them twice; "), output);
        assertTrue(output.matches("(?s).*; [1-9]\\d* workers were ended, with \\d+ jobs in their mailboxes.*"), output);
    }

    @Test
    void stockTicker() throws Exception {
        String output = Output.of(() -> StockTicker.main(new String[] {"500"}));
        assertTrue(output.contains("The quick display has shown 500 prices, the last one is 500."), output);
        assertTrue(output.matches("(?s).*The slow display has shown \\d+ prices, the last one is 500\\..*"), output);
        assertTrue(output.contains("The late display has shown 1 prices, the last one is 500."), output);
    }

    @Test
    void batchedWrites() throws Exception {
        String output = Output.of(() -> BatchedWrites.main(new String[] {"1000"}));
        int trips = Integer.parseInt(output.replaceFirst("(?s).*in (\\d+) round trips.*", "$1"));
        assertTrue(output.startsWith("1000 writes have their replies, "), output);
        assertTrue(trips >= 10 && trips <= 1000, output);
    }

    @Test
    void accounts() throws Exception {
        String output = Output.of(() -> Accounts.main(new String[] {"5000"}));
        assertTrue(output.contains("5000 transfers between 1000 accounts, "), output);
        assertTrue(output.contains("The sum of all balances is 100000."), output);
        int loaded = Integer.parseInt(output.replaceFirst("(?s).*loaded (\\d+) times.*", "$1"));
        assertTrue(loaded > 1_000, output);
    }

    @Test
    void bookings() throws Exception {
        String output = Output.of(() -> Bookings.main(new String[] {"1000"}));
        assertTrue(output.contains("1000 bookings are done, and the balances add up to 1000."), output);
    }

    @Test
    void priceSearch() throws Exception {
        String output = Output.of(() -> PriceSearch.main(new String[] {"3000"}));
        assertTrue(output.contains("corner shop: price 6"), output);
        assertTrue(output.contains("closed shop: closed"), output);
        assertTrue(output.contains("slow shop: no offer in time"), output);
        assertTrue(output.contains("The first offer for tea is 3."), output);
    }

    @Test
    void orderAndPayment() throws Exception {
        String output = Output.of(() -> OrderAndPayment.main(new String[] {}));
        assertTrue(output.contains("pen: reserved, paid, shipped -> SHIPPED"), output);
        assertTrue(output.contains("ink: reserved, declined, declined, declined, given back -> CANCELLED"), output);
        assertTrue(output.contains("cap: reserved, given back -> CANCELLED"), output);
        assertTrue(output.contains("WAITING --> CANCELLED : after PT0.05S"), output);
    }

    @Test
    void cronTimetable() throws Exception {
        String output = Output.of(() -> CronTimetable.main(new String[] {"* * * * * ? *"}));
        assertEquals(
                3, output.lines().filter(line -> line.startsWith("Run at ")).count(), output);
        var zone = ZoneId.of("Europe/Rome");
        var nextMonday = CronTimetable.following("0 30 9 ? * MON *", zone).apply(Instant.parse("2026-10-24T12:00:00Z"));
        assertEquals(Instant.parse("2026-10-26T08:30:00Z"), nextMonday);
    }

    @Test
    void permutations() throws Exception {
        String output = Output.of(() -> Permutations.main(new String[] {"abcdefghijkl"}));
        assertEquals("abcdefghijkl abcdefghijlk abcdefghikjl", output.strip());
    }

    @Test
    void flowPipeline() throws Exception {
        String output = Output.of(() -> FlowPipeline.main(new String[] {"200"}));
        assertTrue(output.contains("200 of 200 readings stored"), output);
        int ahead = Integer.parseInt(output.replaceFirst("(?s).*at most (\\d+) ahead.*", "$1"));
        assertTrue(ahead <= 16 + 8 + 3, output); // requested, in the buffer, and on their way
    }

    @Test
    void wordCount() throws Exception {
        String output = Output.of(() -> WordCount.main(new String[] {"200"}));
        assertTrue(output.contains("200 texts, 0 failed: {be=400, not=200, or=200, to=400}"), output);
    }

    @Test
    void httpHello() throws Exception {
        try (var server = HttpHello.start(0);
                var body = URI.create("http://" + loopback() + ":" + server.port() + "/")
                        .toURL()
                        .openStream()) {
            assertEquals("Hello World!", new String(body.readAllBytes(), UTF_8));
        }
    }

    @Test
    void httpsNotes() throws Exception {
        SSLContext keys = Keys.selfSigned(); // it trusts itself
        try (var server = new HttpsNotes().start(0, keys);
                var client = HttpClient.newBuilder().sslContext(keys).build()) {
            var notes = HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + "/notes"));
            var milk = notes.copy().POST(BodyPublishers.ofString("Buy milk")).build();
            assertEquals(201, client.send(milk, BodyHandlers.ofString()).statusCode());
            assertEquals(
                    "Buy milk\n",
                    client.send(notes.build(), BodyHandlers.ofString()).body());
            var nothing = notes.copy().POST(BodyPublishers.noBody()).build();
            assertEquals(400, client.send(nothing, BodyHandlers.ofString()).statusCode());
            var health = notes.copy()
                    .uri(URI.create("https://localhost:" + server.port() + "/health"))
                    .build();
            assertEquals("OK", client.send(health, BodyHandlers.ofString()).body());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fibers", "threads"})
    void tcpHello(String strategy) throws Exception {
        var stereotypes = strategy.equals("threads") ? Stereotypes.threads() : Stereotypes.fibers();
        try (var server = TcpHello.start(0, stereotypes);
                var client = new Client(server.port())) {
            client.send("GET / HTTP/1.0\r\n\r\n");
            assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!", client.rest());
        }
    }

    @Test
    void tcpChat() throws Exception {
        try (var server = new TcpChat().start(0);
                var ann = new Client(server.port())) {
            assertEquals("Your name?", ann.line());
            ann.send("Ann\n");
            assertEquals("Ann comes in.", ann.line());

            try (var bob = new Client(server.port())) {
                assertEquals("Your name?", bob.line());
                bob.send("Bob\r\n"); // like telnet
                assertEquals("Bob comes in.", ann.line());
                assertEquals("Bob comes in.", bob.line());

                ann.send("Hello Bob!\n");
                assertEquals("Ann: Hello Bob!", ann.line());
                assertEquals("Ann: Hello Bob!", bob.line());
            }
            assertEquals("Bob leaves.", ann.line());
        }
    }

    @Test
    void tcpForward() throws Exception {
        try (var chat = new TcpChat().start(0);
                var forwarder = TcpForward.start(0, InetSocketAddress.createUnresolved(loopback(), chat.port()));
                var ann = new Client(forwarder.port())) {
            assertEquals("Your name?", ann.line());
            ann.send("Ann\n");
            assertEquals("Ann comes in.", ann.line());
        }
    }

    @Test
    void lineStore() throws Exception {
        try (var server = new LineStore().start(0);
                var ann = new Client(server.port());
                var bob = new Client(server.port())) {
            ann.send("set colour dark blue\n");
            assertEquals("ok", ann.line());
            bob.send("get colour\r\nget size\nput colour\n");
            assertEquals("dark blue", bob.line());
            assertEquals("", bob.line());
            assertEquals("error: say \"set NAME VALUE\" or \"get NAME\"", bob.line());
            ann.send("x".repeat(1001) + "\n");
            assertEquals("error: a line has at most 1000 bytes", ann.line());
        }
    }

    @Test
    void udpEcho() throws Exception {
        try (var server = UdpEcho.start(0, UdpOptions.defaults())) {
            assertEquals("hello", echoOf("hello", server.port()));
        }
    }

    /** The servers run until the end of the program, so each runs in its own process. */
    @ParameterizedTest
    @ValueSource(strings = {"HttpHello", "TcpHello", "TcpChat", "LineStore"})
    void serversRunAsPrograms(String example) throws Exception {
        try (var program = new Program(example, "0")) {
            int port = port(program.line());
            try (var client = new Client(port)) {
                client.send("GET / HTTP/1.0\r\n\r\n");
                assertTrue(!client.line().isEmpty(), "it answers");
            }
        }
    }

    private static int port(String line) {
        return Integer.parseInt(line.replaceFirst(".*localhost[: ](\\d+).*", "$1"));
    }

    /** Each server returns its input, in its own format. */
    @Test
    void theOtherServersRunAsProgramsToo() throws Exception {
        try (var store = new Program("LineStore", "0");
                var forward = new Program("TcpForward", "0", "localhost", Integer.toString(port(store.line())));
                var client = new Client(port(forward.line()))) {
            client.send("set colour blue\n");
            assertEquals("ok", client.line());
        }
        try (var echo = new Program("UdpEcho", "0")) {
            assertEquals("hello", echoOf("hello", port(echo.line())));
        }
        try (var notes = new Program("HttpsNotes", "0")) {
            assertTrue(notes.line().startsWith("Try: curl -k "));
        }
    }

    private static String echoOf(String text, int port) throws IOException {
        try (var client = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            client.setSoTimeout(60_000);
            byte[] bytes = text.getBytes(UTF_8);
            client.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
            var answer = new DatagramPacket(new byte[100], 100);
            client.receive(answer);
            return new String(answer.getData(), 0, answer.getLength(), UTF_8);
        }
    }

    private static String loopback() {
        return InetAddress.getLoopbackAddress().getHostAddress();
    }
}
