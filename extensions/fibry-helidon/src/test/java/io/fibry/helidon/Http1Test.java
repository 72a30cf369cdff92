package io.fibry.helidon;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/1 byte by byte: versions, the end of a connection, and values of headers with capitals. */
@Timeout(60)
class Http1Test {

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        assertTrue(system.close(Servers.LONG));
    }

    /** The idle timeout would end the connection long after the test. */
    private HelidonServer start(boolean http2) {
        return HelidonServer.start(
                system.actor(),
                0,
                HelidonRoutes.none()
                        .http(http -> http.get("/", (request, response) -> response.send("ok"))
                                .get("/stream", (request, response) -> {
                                    try (var out = response.outputStream()) {
                                        out.write('o');
                                        out.flush();
                                        out.write('k');
                                    }
                                })
                                .post("/", (request, response) -> {
                                    response.send(request.content().as(String.class));
                                })
                                .post("/begun", (request, response) -> {
                                    var out = response.outputStream();
                                    out.write('b');
                                    out.flush();
                                    request.content().as(String.class);
                                })
                                .post("/caught", (request, response) -> {
                                    var failure = assertThrows(
                                            RuntimeException.class,
                                            () -> request.content().as(String.class));
                                    response.send("caught " + failure.getMessage());
                                })),
                HelidonOptions.defaults().http2(http2).idleTimeout(Duration.ofHours(1)));
    }

    private static String sent(HelidonServer server, String text) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(text.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    private static int responses(String received) {
        return (int) Pattern.compile("HTTP/1\\.1 ").matcher(received).results().count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void http10GetsAStatus(boolean http2) throws Exception {
        HelidonServer server = start(http2);
        String received = sent(server, "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n");
        assertTrue(received.startsWith("HTTP/1.1 505 "), received);
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "Close", "CLOSE", "TE, close", "close, TE"})
    void theConnectionEndsWhenTheClientWantsIt(String value) throws Exception {
        HelidonServer server = start(false);
        for (String path : List.of("/", "/stream", "/unknown")) {
            String received =
                    sent(server, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: " + value + "\r\n\r\n");
            assertEquals(1, responses(received), received);
            assertTrue(received.contains("Connection: close\r\n"), received);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsHandledAfterClose(boolean http2) throws Exception {
        HelidonServer server = start(http2);
        String received = sent(
                server,
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nfirst"
                        + "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecond"
                        + "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nthird");
        assertEquals(2, responses(received), received);
        assertTrue(received.endsWith("second"), received);
    }

    /** Else the body would be the next request. */
    @ParameterizedTest
    @ValueSource(strings = {"chunked", "Chunked", "CHUNKED"})
    void chunkedIsComparedWithoutCase(String value) throws Exception {
        String received = sent(
                start(false),
                "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: " + value
                        + "\r\n\r\n4\r\nbody\r\n0\r\n\r\n");
        assertEquals(1, responses(received), received);
        assertTrue(received.endsWith("body"), received);
    }

    @ParameterizedTest
    @ValueSource(strings = {"100-continue", "100-Continue"})
    void theServerAsksForABodyThatTheClientHoldsBack(String value) throws Exception {
        HelidonServer server = start(false);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(30_000);
            String head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nConnection: close\r\nExpect: ";
            socket.getOutputStream().write((head + value + "\r\n\r\n").getBytes(ISO_8859_1));
            assertEquals("HTTP/1.1 100", new String(socket.getInputStream().readNBytes(12), ISO_8859_1));
            socket.getOutputStream().write("body".getBytes(ISO_8859_1));
            String received = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
            assertTrue(received.endsWith("body"), received);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Transfer-Encoding: gzip, chunked",
                "Transfer-Encoding: chunked, chunked",
                "Transfer-Encoding: identity",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nContent-Length: 4",
                "Content-Length: 4\r\nTransfer-Encoding: Chunked",
                "Content-Length: 4\r\nContent-Length: 4",
                "Content-Length: 4\r\nContent-Length: 5",
                "Content-Length: 0\r\nContent-Length: 4",
                "Content-Length: 4, 4",
                "Content-Length: -1",
                "Content-Length: +4",
                "Content-Length: 0x4",
                "Content-Length:"
            })
    void anAmbiguousLengthIsRefused(String lines) throws Exception {
        String received =
                sent(start(false), "POST / HTTP/1.1\r\nHost: localhost\r\n" + lines + "\r\n\r\n4\r\nbody\r\n0\r\n\r\n");
        assertTrue(received.startsWith("HTTP/1.1 400 "), received);
        assertEquals(1, responses(received), received);
        assertFalse(received.contains("body"), received);
    }

    /** The line is just too long, so that the server has read all input when it closes the connection. */
    @ParameterizedTest
    @ValueSource(strings = {"", "4\r\nbody\r\n", "0\r\n"})
    void aLineWithoutEndInABodyIsRefused(String begin) throws Exception {
        String received = sentInChunks(start(false), "/", begin + "0".repeat(Http1Input.TOO_LONG));
        assertTrue(received.startsWith("HTTP/1.1 400 "), received);
        assertEquals(1, responses(received), received);
    }

    private static String sentInChunks(HelidonServer server, String path, String body) throws IOException {
        return sent(
                server, "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + body);
    }

    /** Nothing follows, so a server that reads on waits. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "zz\r\n",
                "-4\r\n",
                "+4\r\n",
                "4 \r\n",
                "80000000\r\n",
                "100000000\r\n",
                "\r\n",
                "4\nbody",
                "4\rbody",
                "4\nbody\r\n",
                "4\r\nbody\r\nzz\r\n",
                "0\r\nname\r\n",
                "0\r\n: value\r\n",
                "0\r\nName : value\r\n",
                "0\r\n\n"
            })
    void anInvalidLineInABodyIsRefused(String body) throws Exception {
        String received = sentInChunks(start(false), "/", body);
        assertTrue(received.startsWith("HTTP/1.1 400 "), received);
        assertEquals(1, responses(received), received);
    }

    /** The rest of the body is valid, and so is a further request. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "/begun", "/caught"})
    void nothingIsReadAfterAnInvalidLine(String path) throws Exception {
        String received = sentInChunks(
                start(false), path, "zz\r\n4\r\nbody\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertEquals(1, responses(received), received);
        assertEquals(path.equals("/caught"), received.contains("caught"), received);
    }

    @Test
    void theLastChunkMayHaveSeveralZeros() throws Exception {
        String body = "04\r\nbody\r\nA\r\n0123456789\r\n000\r\n\r\n";
        String head = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n";
        String received = sent(start(false), head + "\r\n" + body + head + "Connection: close\r\n\r\n" + body);
        assertEquals(2, responses(received), received);
        assertTrue(received.endsWith("body0123456789"), received);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4;a\r\nbody\r\n0;b=c\r\n\r\n",
                "4 ; a=\"b;c\"\r\nbody\r\n0\r\n\r\n",
                "4\r\nbody\r\n0\r\nName: value\r\nOther:\r\n\r\n"
            })
    void extensionsAndTrailersAreIgnored(String body) throws Exception {
        String head = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n";
        String received = sent(start(false), head + "\r\n" + body + head + "Connection: close\r\n\r\n" + body);
        assertEquals(2, responses(received), received);
        assertTrue(received.endsWith("body"), received);
        assertFalse(received.contains("value"), received);
    }

    /** The last line is just too long, so that the server has read all input when it closes the connection. */
    @Test
    void trailersThatAreTooLongAreRefused() throws Exception {
        String trailer = "Name: " + "x".repeat(100) + "\r\n";
        String begin = "0\r\n" + trailer.repeat(9);
        String received =
                sentInChunks(start(false), "/", begin + "x".repeat(Http1Input.TOO_LONG - 9 * trailer.length()));
        assertTrue(received.startsWith("HTTP/1.1 400 "), received);
        assertEquals(1, responses(received), received);
    }

    @Test
    void aLineUnderTheLimitIsRead() throws Exception {
        String received = sent(
                start(false),
                "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "0".repeat(Http1Input.TOO_LONG - 2) + "4\r\nbody\r\n0\r\n\r\n");
        assertTrue(received.startsWith("HTTP/1.1 200 "), received);
        assertTrue(received.endsWith("body"), received);
    }
}
