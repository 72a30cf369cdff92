package io.fibry.helidon;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 6455 §4.2: which requests become WebSockets. */
@Timeout(60)
class HandshakeTest {

    private static final String KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==|";
    private static final String VERSION = "Sec-WebSocket-Version: 13|";
    private static final String UPGRADE = "Connection: Upgrade|Upgrade: websocket|";

    private final ActorSystem system = ActorSystem.create();
    private final HelidonServer server = Servers.start(system, Servers.ECHO, WebSocketOptions.defaults());

    @AfterEach
    void close() {
        assertTrue(system.close(Servers.LONG));
    }

    /** The head of the answer; a bar stands for the end of a line. */
    private String answer(String method, String headers) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(30_000);
            String request = method + " /ws HTTP/1.1|Host: localhost|" + headers + "|";
            socket.getOutputStream().write(request.replace("|", "\r\n").getBytes(ISO_8859_1));
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) socket.getInputStream().read());
            }
            return head.substring("HTTP/1.1 ".length());
        }
    }

    private void expect(int status, String method, String headers) throws IOException {
        String answer = answer(method, headers);
        assertEquals(status, Integer.parseInt(answer.substring(0, 3)), answer);
    }

    @Test
    void aRequestWithAllHeaders() throws Exception {
        String answer = answer("GET", UPGRADE + VERSION + KEY);
        assertTrue(answer.startsWith("101 "), answer);
        assertTrue(answer.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), answer);
    }

    @ParameterizedTest
    @CsvSource({
        "Upgrade,              WebSocket",
        "upgrade,              WEBSOCKET",
        "UPGRADE,              websocket",
        "'keep-alive, upgrade',websocket",
        "'Upgrade,Keep-Alive', 'h3, WebSocket'",
    })
    void valuesAreComparedWithoutCase(String connection, String upgrade) throws Exception {
        expect(101, "GET", "Connection: " + connection + "|Upgrade: " + upgrade + "|" + VERSION + KEY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "HEAD", "PUT", "OPTIONS"})
    void otherMethodsAreRefused(String method) throws Exception {
        expect(400, method, UPGRADE + VERSION + KEY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Connection: keep-alive|", "Connection: upgraded|", "Connection: close|"})
    void withoutConnectionUpgradeItIsRefused(String connection) throws Exception {
        expect(400, "GET", connection + "Upgrade: websocket|" + VERSION + KEY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Sec-WebSocket-Version: 8|",
                "Sec-WebSocket-Version: 14|",
                "Sec-WebSocket-Version: x|",
                "Sec-WebSocket-Version: 13|Sec-WebSocket-Version: 13|"
            })
    void otherVersionsGetTheRightOne(String version) throws Exception {
        String answer = answer("GET", UPGRADE + version + KEY);
        assertTrue(answer.startsWith("426 "), answer);
        assertTrue(answer.toLowerCase(Locale.ROOT).contains("sec-websocket-version: 13\r\n"), answer);
        assertTrue(answer.toLowerCase(Locale.ROOT).contains("upgrade: websocket\r\n"), answer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Sec-WebSocket-Key: |",
                "Sec-WebSocket-Key: not base64!|",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZQ==|",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZSB0aGF0IGlzIHRvbyBsb25n|",
                KEY + KEY
            })
    void otherKeysAreRefused(String key) throws Exception {
        expect(400, "GET", UPGRADE + VERSION + key);
    }
}
