package io.fibry.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The servers answer, each in its own process, and the output of the clients is parsed. */
class NetLoadTest {

    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    @TempDir
    private Path folder;

    /** In the first run, Go also compiles its library, which may take minutes on a busy machine. */
    @BeforeAll
    @Timeout(600)
    static void compileTheGoServer() throws IOException {
        if (NetPeer.GO.missing() == null) {
            assertFalse(Programs.go("server", List.of()).isEmpty());
        }
    }

    /** Returns the supported pairs of server and load for which the required programs are installed. */
    static Stream<Arguments> pairs() {
        return Stream.of(NetLoad.values())
                .flatMap(load -> Stream.of(NetPeer.values())
                        .filter(peer -> load.isFor(peer) && peer.cannot(load) == null && peer.missing() == null)
                        .map(peer -> Arguments.of(load, peer)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    @Timeout(60)
    void everyServerAnswersAndStandsAShortLoad(NetLoad load, NetPeer peer) throws IOException, InterruptedException {
        try (var server = NetServer.start(load, peer, List.of())) {
            String body = load.isHttp() ? "Hello World!" : "Hello!";
            String answer = answer(server, "\r\n\r\n" + body);
            assertTrue(answer.matches("(?s)HTTP/1.1 200 OK\r\n.*\r\n\r\n" + body), answer);
            assumeTrue(load.missing() == null, load::missing);
            List<String> command = load.command(server.url(), 1).stream()
                    .map(word -> word.matches("50000|200000") ? "200" : word)
                    .toList();
            NetLoad.Result result = load.read(Programs.run(command));
            assertTrue(result.value() > 0);
            assertEquals(0, result.failed());
        }
    }

    @ParameterizedTest
    @EnumSource
    void anExcessiveLoadIsReportedWithItsReason(NetPeer peer) {
        for (NetLoad load : NetLoad.values()) {
            String why = peer.cannot(load);
            assertTrue(why == null || why.endsWith("."), why);
        }
    }

    @Test
    void missingToolsAreReportedWithTheirPackages() throws IOException {
        String path = folder.toString();
        assertEquals("ab is not on the PATH; on Debian: apt-get install apache2-utils", NetLoad.TCP.missing(path));
        assertEquals("wrk is not on the PATH; on Debian: apt-get install wrk", NetLoad.HTTP.missing(path));
        assertEquals("go is not on the PATH; install it from https://go.dev/dl", NetPeer.GO.missing(path));
        assertNull(NetPeer.FIBRY.missing(path));
        assertTrue(Files.createFile(folder.resolve("ab")).toFile().setExecutable(true));
        assertNull(NetLoad.TCP_WARM.missing(path));
    }

    /** Returns the answer up to this end: some servers keep the connection. */
    private static String answer(NetServer server, String end) throws IOException {
        int port = URI.create(server.url()).getPort();
        try (var client = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port)) {
            client.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
            var answer = new StringBuilder();
            InputStream in = client.getInputStream();
            for (int c = in.read(); c >= 0; c = answer.indexOf(end) < 0 ? in.read() : -1) {
                answer.append((char) c);
            }
            return answer.toString();
        }
    }

    @Test
    void abIsRead() throws IOException {
        var rate = NetLoad.TCP.read("""
            Complete requests:      50000
            Failed requests:        7
               (Connect: 0, Receive: 0, Length: 7, Exceptions: 0)
            Write errors:           2
            Non-2xx responses:      1
            Requests per second:    15572.31 [#/sec] (mean)
            """);
        assertEquals(new NetLoad.Result(15572.31, 10), rate);
    }

    @Test
    void wrkIsReadWithAndWithoutFailures() throws IOException {
        assertEquals(new NetLoad.Result(61796.5, 0), NetLoad.HTTP.read("Requests/sec:  61796.50\n"));
        assertEquals(
                new NetLoad.Result(10, 3),
                NetLoad.HTTP.read("  Non-2xx or 3xx responses: 3\nRequests/sec:     10.00\n"));
    }

    @Test
    void socketErrorsAreFailuresToo() throws IOException {
        assertEquals(new NetLoad.Result(10, 1 + 20 + 300 + 4000 + 50000), NetLoad.HTTP.read("""
              640 requests in 2.00s, 80.00KB read
              Socket errors: connect 1, read 20, write 300, timeout 4000
              Non-2xx or 3xx responses: 50000
            Requests/sec:     10.00
            """));
    }

    @Test
    void aClientThatGivesUpIsAnErrorThatShowsItsOutput() {
        var error = assertThrows(IOException.class, () -> NetLoad.TCP.read("apr_socket_recv: Connection reset\n"));
        assertEquals("ab gave no result: apr_socket_recv: Connection reset", error.getMessage());
    }

    @Test
    void aProgramThatFailsIsAnErrorThatShowsItsLastLine() {
        var command = List.of("sh", "-c", "echo first; echo last; exit 3");
        var error = assertThrows(IOException.class, () -> Programs.run(command));
        assertEquals("sh failed: last", error.getMessage());
    }

    @Test
    void programsAreFoundOnThePath() {
        assertTrue(Programs.has("sh", Programs.path()));
        assertEquals(false, Programs.has("no-such-program-anywhere", Programs.path()));
    }
}
