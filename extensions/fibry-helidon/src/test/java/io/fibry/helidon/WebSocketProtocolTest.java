package io.fibry.helidon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 6455, frame by frame, against an endpoint that sends each message back. */
@Timeout(60)
class WebSocketProtocolTest {

    private static final int MAX = 1 << 20;

    private final ActorSystem system = ActorSystem.create();
    private final int port = Servers.start(system, Servers.ECHO, Servers.PATIENT.maxMessageBytes(MAX))
            .port();

    @AfterEach
    void close() {
        assertTrue(system.close(Servers.LONG));
    }

    private RawClient connect() throws IOException {
        return new RawClient(port, "/ws");
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    /**
     * Sends frames such as {@code 81:48 49}, the first byte of the head and the payload in hexadecimal digits. All of
     * them are in one write, since the server may close the connection after one of them.
     */
    private static void send(RawClient client, String frames) throws IOException {
        var all = new ByteArrayOutputStream();
        for (String frame : frames.split(",", -1)) {
            String[] parts = frame.strip().split(":", -1);
            int first = Integer.parseInt(parts[0], 16);
            all.writeBytes(RawClient.bytes(first & 0x7F, first >= 0x80, bytes(parts[1])));
        }
        client.raw(all.toByteArray());
    }

    /** The frames until the end of the connection, in the same form. The client answers a close frame as it has to. */
    private static String answers(RawClient client) throws IOException {
        var answers = new StringBuilder();
        while (true) {
            RawClient.Frame frame = client.read();
            answers.append(
                    "%02x:%s".formatted(0x80 | frame.opcode(), HexFormat.of().formatHex(frame.payload())));
            if (frame.opcode() == RawClient.CLOSE) {
                client.frame(RawClient.CLOSE, true, frame.payload());
                assertTrue(client.isAtEnd());
                return answers.toString();
            }
            answers.append(' ');
        }
    }

    private static String status(RawClient client) throws IOException {
        String last = answers(client);
        last = last.substring(last.lastIndexOf(' ') + 1);
        return last.length() < 7 ? "none" : Integer.toString(Integer.parseInt(last.substring(3, 7), 16));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 127, 128, 65_535, 65_536, MAX})
    void everyFormOfALength(int length) throws Exception {
        try (var client = connect()) {
            client.text("x".repeat(length));
            assertEquals("x".repeat(length), client.read().text());
            client.frame(RawClient.BINARY, true, new byte[length]);
            assertEquals(length, client.read().payload().length);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "two frames,           '01:4869, 80:21',                       81:486921",
        "empty frames,         '01:, 00:, 00:48, 00:, 80:',            81:48",
        "all empty,            '01:, 80:',                             81:",
        "binary frames,        '02:00, 00:ff, 80:7f',                  82:00ff7f",
        "a divided character,  '01:e2, 00:82, 80:ac',                  81:e282ac",
        "four bytes,           '81:f09f9880',                          81:f09f9880",
        "the last code point,  '81:f48fbfbf',                          81:f48fbfbf",
        "a non-character,      '81:efbfbf',                            81:efbfbf",
        "NUL,                  '81:00',                                81:00",
        "an unasked pong,      '8a:, 8a:7878, 81:48',                  81:48",
    })
    void messages(String name, String frames, String expected) throws Exception {
        try (var client = connect()) {
            send(client, frames);
            RawClient.Frame answer = client.read();
            assertEquals(
                    expected,
                    "%02x:%s".formatted(0x80 | answer.opcode(), HexFormat.of().formatHex(answer.payload())));
        }
    }

    @ParameterizedTest
    @CsvSource({"'89:', 8a:", "'89:00ff', 8a:00ff", "'01:48, 89:21', 8a:21"})
    void pingsAreAnswered(String frames, String expected) throws Exception {
        try (var client = connect()) {
            send(client, frames);
            RawClient.Frame pong = client.read();
            assertEquals(
                    expected,
                    "%02x:%s".formatted(0x80 | pong.opcode(), HexFormat.of().formatHex(pong.payload())));
        }
    }

    @Test
    void aPingMayHave125Bytes() throws Exception {
        try (var client = connect()) {
            client.frame(RawClient.PING, true, new byte[125]);
            assertEquals(125, client.read().payload().length);
            client.frame(RawClient.PING, true, new byte[126]);
            assertEquals("1002", status(client));
        }
    }

    /** 1002 for the protocol, 1007 for text that is not UTF-8. */
    @ParameterizedTest
    @CsvSource({
        "the bits for extensions,       '91:48',                1002",
        "the bits for extensions,       'a1:48',                1002",
        "the bits for extensions,       'c1:48',                1002",
        "the same in a ping,            'c9:',                  1002",
        "the same in a close frame,     'f8:03e8',              1002",
        "the same in a continuation,    '01:48, c0:48',         1002",
        "a reserved opcode,             '83:',                  1002",
        "a reserved opcode,             '84:48',                1002",
        "a reserved opcode,             '87:48',                1002",
        "a reserved control opcode,     '8b:',                  1002",
        "a reserved control opcode,     '8f:48',                1002",
        "the same between frames,       '01:48, 83:, 80:48',    1002",
        "a divided ping,                '09:48, 80:48',         1002",
        "a divided pong,                '0a:',                  1002",
        "a divided close,               '08:03e8',              1002",
        "a continuation of nothing,     '80:48',                1002",
        "an unfinished one of nothing,  '00:48, 80:48',         1002",
        "one after the end,             '01:48, 80:48, 80:48',  1002",
        "a text within a text,          '01:48, 81:48',         1002",
        "a binary within a text,        '01:48, 02:48',         1002",
        "a lone continuation byte,      '81:80',                1007",
        "a missing byte,                '81:c3',                1007",
        "a missing byte in frames,      '01:e2, 80:82',         1007",
        "an overlong slash,             '81:c0af',              1007",
        "an overlong NUL,               '81:e08080',            1007",
        "a surrogate,                   '81:eda080',            1007",
        "beyond Unicode,                '81:f4908080',          1007",
        "a byte that never occurs,      '81:48ff',              1007",
        "Latin-1,                       '81:e4',                1007",
        "a close of one byte,           '88:03',                1002",
        "a reason that is not UTF-8,    '88:03e8 48 c0',        1007",
        "a divided character in it,     '88:03e8 e282',         1007",
    })
    void protocolViolationsAreRefused(String name, String frames, String expected) throws Exception {
        try (var client = connect()) {
            send(client, frames);
            assertEquals(expected, status(client));
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999})
    void validCodesAreSentBack(int code) throws Exception {
        try (var client = connect()) {
            client.close(code);
            assertEquals(Integer.toString(code), status(client));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535})
    void invalidCodesAreNot(int code) throws Exception {
        try (var client = connect()) {
            client.close(code);
            assertEquals("1002", status(client));
        }
    }

    @Test
    void aCloseMayHaveNoStatusOrALongReason() throws Exception {
        try (var client = connect()) {
            send(client, "88:");
            assertEquals("none", status(client));
        }
        try (var client = connect()) {
            client.frame(
                    RawClient.CLOSE,
                    true,
                    ByteBuffer.allocate(125).putShort((short) 1000).array());
            assertEquals("1000", status(client));
        }
        try (var client = connect()) {
            client.frame(
                    RawClient.CLOSE,
                    true,
                    ByteBuffer.allocate(126).putShort((short) 1000).array());
            assertEquals("1002", status(client));
        }
    }

    @Test
    void nothingIsAnsweredAfterAClose() throws Exception {
        try (var client = connect()) {
            send(client, "88:03e8, 89:, 81:48");
            RawClient.Frame frame = client.read();
            assertEquals(RawClient.CLOSE, frame.opcode());
            assertTrue(client.isAtEnd());
        }
    }

    /** The head of a frame as it is on the wire. */
    @ParameterizedTest
    @CsvSource({
        "unmasked,                     81 01 48,                                     1002",
        "a length of 2 bytes for 1,    81 fe 00 7d 00 00 00 00,                      1002",
        "a length of 8 bytes for 2,    81 ff 00 00 00 00 00 00 ff ff 00 00 00 00,    1002",
        "a negative length,            81 ff 80 00 00 00 00 00 00 00 00 00 00 00,    1002",
        "one byte more than allowed,   82 ff 00 00 00 00 00 10 00 01 00 00 00 00,    1009",
        "more than an array may have,  82 ff 7f ff ff ff ff ff ff ff 00 00 00 00,    1009",
        "the same in a divided text,   01 ff 00 00 00 01 00 00 00 00 00 00 00 00,    1009",
        "a long ping,                  89 fe 00 7e 00 00 00 00,                      1002",
    })
    void aHeadIsRefusedBeforeItsPayloadIsRead(String name, String head, int expected) throws Exception {
        try (var client = connect()) {
            client.raw(bytes(head)); // and nothing more
            assertEquals(expected, client.read().closeCode());
        }
    }

    @Test
    void theLimitHoldsForAllFramesOfAMessage() throws Exception {
        try (var client = connect()) {
            client.frame(RawClient.BINARY, false, new byte[MAX - 1]);
            client.raw(bytes("80 82 00 00 00 00"));
            assertEquals(1009, client.read().closeCode());
        }
    }

    /** With a reader that takes the square of the length, this lasts minutes. */
    @Test
    void aLargeFrameIsReadInLinearTime() throws Exception {
        int length = 48 << 20;
        WebSocketEndpoint size = (session, actors) -> actors.newActor(message -> {
            session.send(Integer.toString(((WebSocketMessage.Binary) message).bytes().length));
        });
        HelidonServer server =
                Servers.start(system, size, WebSocketOptions.defaults().maxMessageBytes(length));
        try (var client = new RawClient(server.port(), "/ws")) {
            client.frame(RawClient.BINARY, true, new byte[length]);
            assertEquals(Integer.toString(length), client.readPastPings().text());
        }
    }
}
