package io.fibry.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The servers answer, each in its process, and the output of the clients is understood. */
class NetLoadTest {

    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    @ParameterizedTest
    @EnumSource(names = {"FIBRY_2_4_1", "JDK"})
    void serversSpeakTcp(NetPeer peer) throws IOException {
        assertTrue(answer(NetLoad.TCP, peer).endsWith("\r\n\r\nHello!"));
    }

    @ParameterizedTest
    @EnumSource(names = {"FIBRY", "FIBRY_2_4_1"})
    void serversSpeakHttp(NetPeer peer) throws IOException {
        assertTrue(answer(NetLoad.HTTP, peer).endsWith("\r\n\r\nHello World!"));
    }

    private static String answer(NetLoad load, NetPeer peer) throws IOException {
        try (var server = NetServer.start(load, peer, List.of());
                var client = new Socket(
                        InetAddress.getByAddress(new byte[] {127, 0, 0, 1}),
                        URI.create(server.url()).getPort())) {
            client.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void abIsRead() throws IOException {
        var rate = NetLoad.TCP.read("""
            Complete requests:      50000
            Failed requests:        7
            Requests per second:    15572.31 [#/sec] (mean)
            """);
        assertEquals(new NetLoad.Rate(15572.31, 7), rate);
    }

    @Test
    void wrkIsReadWithAndWithoutFailures() throws IOException {
        assertEquals(new NetLoad.Rate(61796.5, 0), NetLoad.HTTP.read("Requests/sec:  61796.50\n"));
        assertEquals(
                new NetLoad.Rate(10, 3), NetLoad.HTTP.read("  Non-2xx or 3xx responses: 3\nRequests/sec:     10.00\n"));
    }

    @Test
    void aClientThatGivesUpIsAnErrorThatShowsItsOutput() {
        var error = assertThrows(IOException.class, () -> NetLoad.TCP.read("apr_socket_recv: Connection reset\n"));
        assertEquals("ab gave no rate: apr_socket_recv: Connection reset", error.getMessage());
    }

    @Test
    void aProgramThatFailsIsAnErrorThatShowsItsLastLine() {
        var command = List.of("sh", "-c", "echo first; echo last; exit 3");
        var error = assertThrows(IOException.class, () -> Programs.run(command));
        assertEquals("sh failed: last", error.getMessage());
    }

    @Test
    void programsAreFoundOnThePath() {
        assertTrue(Programs.has("sh"));
        assertEquals(false, Programs.has("no-such-program-anywhere"));
    }
}
