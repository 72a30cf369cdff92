package io.fibry.net.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.net.attack.Corpus.Malformed;
import io.fibry.testing.ServerProcess;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends malformed and smuggling requests, and checks that each is refused, or handled once and nothing behind it. */
@Timeout(300)
@ParameterizedClass
@ValueSource(strings = {"virtual", "platform"})
class HttpCorpusTest {

    private static ServerProcess server;

    @Parameter
    String strategy; // of the server

    /** In a separate JVM, because in the tests' own JVM the first server has set the maximum time of a request. */
    @BeforeParameterizedClassInvocation
    static void start(String strategy) throws IOException {
        server = ServerProcess.start(AttackedHttpServer.class, strategy, "1000");
    }

    @AfterParameterizedClassInvocation
    static void close() throws IOException {
        server.close();
    }

    static List<Malformed> attacks() {
        return Corpus.all();
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void isRefusedOrHandledOnce(Malformed attack) throws IOException {
        assertHarmless(attack, Raw.exchange(server.port(), attack.bytes(), Integer.MAX_VALUE));
    }

    /**
     * The same in packets of one byte, and in packets of every size, to cut the request at each position. The long ones
     * would take long, and are cut off by their length.
     */
    @ParameterizedTest
    @MethodSource("shortAttacks")
    void isRefusedOrHandledOnceInPieces(Malformed attack) throws IOException {
        int largest = Attack.size(1, attack.request().length() - 1);
        for (int piece = 1; piece <= largest; piece++) {
            assertHarmless(attack, Raw.exchange(server.port(), attack.bytes(), piece));
        }
    }

    static Stream<Malformed> shortAttacks() {
        return Corpus.all().stream().filter(attack -> attack.request().length() < 1000);
    }

    private static void assertHarmless(Malformed attack, String response) throws IOException {
        String handled = server.ask("handled");
        assertTrue(handled.isEmpty() || handled.equals("/"), "handled: " + handled);
        if (!response.isEmpty()) {
            assertTrue(attack.statuses().contains(status(response)), response);
            assertEquals(1, response.split("HTTP/1.1 ", -1).length - 1, "one response: " + response);
        }
        assertFalse(response.contains("\tat "), "a stack trace: " + response);
        if (!attack.statuses().contains(200)) {
            assertEquals("", handled);
        }
    }

    private static int status(String response) {
        assertTrue(response.startsWith("HTTP/1.1 "), response);
        return Integer.parseInt(response.substring(9, 12));
    }
}
