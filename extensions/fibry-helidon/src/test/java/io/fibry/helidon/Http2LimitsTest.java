package io.fibry.helidon;

import static io.fibry.helidon.Http2Client.CONTINUATION;
import static io.fibry.helidon.Http2Client.DATA;
import static io.fibry.helidon.Http2Client.END_HEADERS;
import static io.fibry.helidon.Http2Client.END_STREAM;
import static io.fibry.helidon.Http2Client.ENHANCE_YOUR_CALM;
import static io.fibry.helidon.Http2Client.GET;
import static io.fibry.helidon.Http2Client.GOAWAY;
import static io.fibry.helidon.Http2Client.HEADERS;
import static io.fibry.helidon.Http2Client.OK;
import static io.fibry.helidon.Http2Client.POST;
import static io.fibry.helidon.Http2Client.SETTINGS;
import static io.fibry.helidon.Http2Client.bytes;
import static io.fibry.helidon.Http2Client.join;
import static io.fibry.helidon.Http2Client.literal;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.helidon.http.HeaderNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits hold for headers after decompression, however the client divides and compresses them. */
@Timeout(60)
class Http2LimitsTest {

    private static final int ADDED = 0x40; // the field enters the table
    private static final int NOT_ADDED = 0;
    private static final int FIRST_OF_TABLE = 0x80 | 62;

    private static final String TOO_LARGE = "Maximum decoded entity size exceeded"; // of Helidon

    private final ActorSystem system = ActorSystem.create();
    private final HelidonServer server = start(Servers.HTTP_2);

    private HelidonServer start(HelidonOptions options) {
        return HelidonServer.start(
                system.actor(),
                0,
                HelidonRoutes.none()
                        .http(http -> http.get("/", (request, response) -> {
                                    var values = request.headers().values(HeaderNames.create("x"));
                                    response.send(Integer.toString(values.stream()
                                            .mapToInt(String::length)
                                            .sum()));
                                })
                                .post("/", (request, response) -> {
                                    response.send(
                                            Integer.toString(request.content().as(byte[].class).length));
                                })
                                .post("/ignore", (request, response) -> response.send("ignored"))),
                options);
    }

    @AfterEach
    void close() {
        assertTrue(system.close(Servers.LONG));
    }

    private static byte[] references(int count) {
        var references = new byte[count];
        Arrays.fill(references, (byte) FIRST_OF_TABLE);
        return references;
    }

    private static String body(Http2Client client) throws IOException {
        assertEquals(OK, client.status());
        return new String(client.await(0).payload(), US_ASCII);
    }

    @Test
    void indexedHeadersCountWithTheirDecodedSize() throws Exception {
        byte[] entry = literal(ADDED, "x", "v".repeat(3_900));
        try (var client = new Http2Client(server.port())) {
            client.get(1, GET, entry, references(7));
            assertEquals(Integer.toString(8 * 3_900), body(client));
            client.get(3, GET, references(9));
            assertEquals(ENHANCE_YOUR_CALM, client.await(GOAWAY, HEADERS).errorCode());
        }
        try (var client = new Http2Client(server.port())) {
            client.get(1, GET, entry, references(12_000));
            assertEquals(ENHANCE_YOUR_CALM, client.await(GOAWAY, HEADERS).errorCode());
        }
    }

    @Test
    void eachFieldCounts32BytesMore() throws Exception {
        byte[] entry = literal(ADDED, "y", "");
        try (var client = new Http2Client(server.port())) {
            client.get(1, GET, entry, references(900));
            assertEquals("0", body(client));
            client.get(3, GET, references(1_000));
            assertEquals(ENHANCE_YOUR_CALM, client.await(GOAWAY, HEADERS).errorCode());
        }
    }

    @Test
    void manyEmptyContinuationsEndTheConnection() throws Exception {
        try (var client = new Http2Client(server.port())) {
            client.frame(HEADERS, END_STREAM, 1, GET);
            try {
                for (int i = 0; i < 1_000; i++) {
                    client.frame(CONTINUATION, 0, 1);
                }
            } catch (IOException e) {
                // the server has ended the connection while they were sent
            }
            assertEquals(ENHANCE_YOUR_CALM, client.await(GOAWAY, HEADERS).errorCode());
        }
    }

    @Test
    void aBlockMayBeDividedAnywhere() throws Exception {
        byte[] block = join(GET, literal(ADDED, "x", "v".repeat(300)));
        for (int parts = 1; parts <= 8; parts++) {
            try (var client = new Http2Client(server.port())) {
                int size = block.length / parts;
                client.frame(HEADERS, END_STREAM | (parts == 1 ? END_HEADERS : 0), 1, Arrays.copyOf(block, size));
                for (int i = 1; i < parts; i++) {
                    boolean last = i == parts - 1;
                    client.frame(
                            CONTINUATION,
                            last ? END_HEADERS : 0,
                            1,
                            Arrays.copyOfRange(block, i * size, last ? block.length : (i + 1) * size));
                }
                assertEquals("300", body(client), parts + " parts");
            }
        }
    }

    @Test
    void aBlockOfMoreThanOneFrameArrives() throws Exception {
        HelidonServer large = start(Servers.HTTP_2.maxHeaderBytes(256 * 1024));
        try (var client = new Http2Client(large.port())) {
            byte[] block = join(GET, literal(NOT_ADDED, "x", "v".repeat(100_000)));
            int size = 16_000;
            client.frame(HEADERS, END_STREAM, 1, Arrays.copyOf(block, size));
            for (int at = size; at < block.length; at += size) {
                int to = Math.min(at + size, block.length);
                client.frame(CONTINUATION, to == block.length ? END_HEADERS : 0, 1, Arrays.copyOfRange(block, at, to));
            }
            assertEquals("100000", body(client));
        }
    }

    @Test
    void theTableMayBeEmptied() throws Exception {
        try (var client = new Http2Client(server.port())) {
            client.get(1, GET, literal(ADDED, "x", "v"));
            assertEquals("1", body(client));
            client.get(3, bytes(0x20, 0x3F, 0xE1, 0x1F), GET, literal(ADDED, "x", "vv"));
            assertEquals("2", body(client));
        }
    }

    @Test
    void anEntryMayTakeThePlaceOfAllOthers() throws Exception {
        try (var client = new Http2Client(server.port())) {
            for (int i = 0; i < 3; i++) {
                client.get(1 + 2 * i, GET, literal(ADDED, "x", "v".repeat(4_000)));
                assertEquals("4000", body(client));
            }
        }
    }

    /** The headers of answered requests are not kept for long: Helidon would keep 8,192 of them. */
    @Test
    void aConnectionHasAtMost100StreamsAtATime() throws Exception {
        try (var client = new Http2Client(server.port())) {
            long announced = -1;
            client.get(1, GET);
            for (var frame = client.read(); frame.type() != HEADERS; frame = client.read()) {
                for (int i = 0; frame.type() == SETTINGS && i < frame.payload().length; i += 6) {
                    var entry = ByteBuffer.wrap(frame.payload(), i, 6);
                    announced = entry.getShort() == 3 ? entry.getInt() : announced;
                }
            }
            assertEquals(100, announced);
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < 100; i++) {
                    client.get(3 + 2 * (round * 100 + i), GET);
                }
                for (int i = 0; i < 100; i++) {
                    assertEquals(OK, client.status());
                }
            }
        }
    }

    private static void post(Http2Client client, int stream, int... frames) throws IOException {
        client.frame(HEADERS, END_HEADERS, stream, POST);
        for (int length : frames) {
            client.frame(DATA, 0, stream, new byte[length]);
        }
    }

    private static String text(Http2Client client) throws IOException {
        return new String(client.await(DATA, GOAWAY).payload(), US_ASCII);
    }

    private static void end(Http2Client client, int stream) throws IOException {
        client.frame(DATA, END_STREAM, stream);
    }

    /** The rest of a refused body is discarded, and the other streams of the connection continue. */
    @Test
    void aLargeBodyGetsAStatus() throws Exception {
        HelidonServer limited = start(Servers.HTTP_2.maxBodyBytes(1_000));
        try (var client = new Http2Client(limited.port())) {
            post(client, 1, 600, 400);
            end(client, 1);
            assertEquals("1000", text(client));
            post(client, 3, 600, 401); // and more may come
            assertEquals(TOO_LARGE, text(client));
            for (int i = 0; i < 50; i++) {
                client.frame(DATA, 0, 3, new byte[16_000]);
            }
            end(client, 3);
            post(client, 5, 1_001);
            end(client, 5);
            assertEquals(TOO_LARGE, text(client));
            client.get(7, GET);
            assertEquals("0", text(client));
        }
    }

    @Test
    void anAnnouncedLargeBodyIsRefusedBeforeItComes() throws Exception {
        HelidonServer limited = start(Servers.HTTP_2.maxBodyBytes(1_000));
        try (var client = new Http2Client(limited.port())) {
            client.frame(HEADERS, END_HEADERS, 1, POST, literal(NOT_ADDED, "content-length", "1001"));
            assertEquals("413 Request Entity Too Large", text(client));
            client.frame(DATA, END_STREAM, 1, new byte[1_001]);
            client.get(3, GET);
            assertEquals("0", text(client));
        }
    }

    /** The response has been sent when the body exceeds the limit. */
    @Test
    void aLargeBodyThatNobodyReadsIsDiscarded() throws Exception {
        HelidonServer limited = start(Servers.HTTP_2.maxBodyBytes(1_000));
        byte[] ignore = join(
                bytes(0x83, 0x86, 0x01, 9),
                "localhost".getBytes(US_ASCII),
                bytes(0x04, 7),
                "/ignore".getBytes(US_ASCII));
        try (var client = new Http2Client(limited.port())) {
            client.frame(HEADERS, END_HEADERS, 1, ignore);
            assertEquals("ignored", text(client));
            client.frame(DATA, 0, 1, new byte[1_001]);
            end(client, 1);
            client.get(3, GET);
            assertEquals("0", text(client));
        }
    }

    @Test
    void invalidSettingsGetAnAnswer() throws Exception {
        try (var client = new Http2Client(server.port())) {
            client.frame(SETTINGS, 0, 0, bytes(0, 5, 0, 0, 0, 0));
            assertEquals(1, client.await(GOAWAY).errorCode()); // PROTOCOL_ERROR
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"AAUAAAAA", "AAUA", "%"}) // a frame size of 0, half an entry, and no Base64
    void anUpgradeWithInvalidSettingsIsRefused(String settings) throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream()
                    .write(("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                                    + "Upgrade: h2c\r\nHTTP2-Settings: " + settings + "\r\n\r\n")
                            .getBytes(US_ASCII));
            String received = new String(socket.getInputStream().readAllBytes(), US_ASCII);
            assertTrue(received.startsWith("HTTP/1.1 400 "), received);
        }
    }
}
