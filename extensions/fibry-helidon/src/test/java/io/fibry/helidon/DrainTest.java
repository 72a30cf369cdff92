package io.fibry.helidon;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that reuse their connections while the server stops: each request gets a complete response. */
@Timeout(120)
class DrainTest {

    private static final int CLIENTS = 20;

    private final long before = ServerLoop.lingerMillis;
    private final ActorSystem system = ActorSystem.create();
    private final HelidonServer server = Servers.start(
            system, HelidonRoutes.none().http(http -> http.get("/text", (request, response) -> response.send("text"))));

    @BeforeEach
    void allowForALoadedMachine() {
        ServerLoop.lingerMillis = 3000;
    }

    @AfterEach
    void close() {
        ServerLoop.lingerMillis = before;
        assertTrue(system.close(Servers.LONG));
    }

    private static String response(Socket socket, String header) throws IOException {
        socket.getOutputStream()
                .write(("GET /text HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n").getBytes(US_ASCII));
        InputStream in = socket.getInputStream();
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                throw new EOFException("the request got no response; received: " + head);
            }
            head.append((char) b);
        }
        String text = head.toString().toLowerCase(Locale.ROOT);
        int length = Integer.parseInt(text.replaceAll("(?s).*\r\ncontent-length: (\\d+)\r\n.*", "$1"));
        assertEquals(length, in.readNBytes(length).length);
        return text;
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.port());
    }

    /** Sends requests until a response is the last one of the connection. */
    private String lastResponse(CountDownLatch busy) throws IOException {
        try (Socket socket = connect()) {
            socket.setTcpNoDelay(true);
            for (int i = 0; ; i++) {
                String head = response(socket, "");
                if (head.contains("\r\nconnection: close\r\n")) {
                    return head;
                }
                if (i == 10) {
                    busy.countDown();
                }
            }
        }
    }

    @Test
    void noRequestIsCut() throws Exception {
        var busy = new CountDownLatch(CLIENTS);
        List<String> last = new CopyOnWriteArrayList<>();
        List<Throwable> cut = new CopyOnWriteArrayList<>();
        List<Thread> clients = IntStream.range(0, CLIENTS)
                .mapToObj(i -> Thread.ofPlatform().start(() -> {
                    try {
                        last.add(lastResponse(busy));
                    } catch (Exception e) {
                        cut.add(e);
                    }
                }))
                .toList();
        busy.await();
        server.stop();
        for (Thread client : clients) {
            client.join();
        }
        assertEquals(List.of(), cut);
        assertEquals(CLIENTS, last.size());
    }

    /** Its connection was in use just before the stop, and no other request is in progress. */
    @Test
    void theNextRequestOfAnIdleConnectionIsAnswered() throws Exception {
        ServerLoop.lingerMillis = 3_600_000;
        try (Socket socket = connect()) {
            String first = response(socket, "");
            assertTrue(first.startsWith("http/1.1 200 "), first);
            server.stop();
            String last = response(socket, "");
            assertTrue(last.startsWith("http/1.1 503 "), last);
            assertTrue(last.contains("\r\nconnection: close\r\n"), last);
            assertEquals(-1, socket.getInputStream().read());
        }
        boolean unused = server.close(Duration.ofMillis(10)); // forces the stop
        assertTrue(server.close(Servers.LONG));
    }

    /** A connection that is not in use is closed at once, and so is one that ends after its response. */
    @Test
    void aServerWhoseConnectionsHaveEndedDoesNotWait() throws Exception {
        ServerLoop.lingerMillis = 3_600_000;
        try (Socket idle = connect();
                Socket socket = connect()) {
            String head = response(socket, "Connection: close\r\n");
            assertTrue(head.startsWith("http/1.1 200 "), head);
            server.stop();
            assertTrue(server.waitForExit(Servers.LONG));
            assertEquals(-1, idle.getInputStream().read());
        }
    }
}
