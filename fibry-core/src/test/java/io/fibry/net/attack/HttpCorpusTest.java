package io.fibry.net.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.net.HttpOptions;
import io.fibry.net.HttpRoutes;
import io.fibry.net.HttpServerActor;
import io.fibry.net.attack.Corpus.Malformed;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sends malformed and smuggling requests, and sees to it that each is refused, or handled once and nothing behind it. Seen to
 * fail: each check of the library taken out.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(60)
class HttpCorpusTest {

    private static final ActorSystem SYSTEM = ActorSystem.create();
    private static final List<String> HANDLED = Collections.synchronizedList(new ArrayList<>());
    private static HttpServerActor server;

    @BeforeAll
    static void start() {
        var options =
                HttpOptions.builder().requestTimeout(Duration.ofSeconds(1)).build();
        server = HttpServerActor.start(
                SYSTEM,
                ThreadStrategy.virtual(),
                0,
                HttpRoutes.all(exchange -> {
                    HANDLED.add(exchange.getRequestURI().getPath());
                    exchange.getRequestBody().readAllBytes();
                    return "handled";
                }),
                options);
    }

    @AfterAll
    static void close() {
        SYSTEM.close();
    }

    @BeforeEach
    void forget() {
        HANDLED.clear();
    }

    static List<Malformed> attacks() {
        return Corpus.all();
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void isRefusedOrHandledOnce(Malformed attack) throws IOException {
        assertHarmless(attack, Raw.exchange(server.port(), attack.bytes(), Integer.MAX_VALUE));
    }

    /** The same in packets of one byte; the long ones would take long, and are cut off by their length all the same. */
    @ParameterizedTest
    @MethodSource("shortAttacks")
    void isRefusedOrHandledOnceByteByByte(Malformed attack) throws IOException {
        assertHarmless(attack, Raw.exchange(server.port(), attack.bytes(), 1));
    }

    static Stream<Malformed> shortAttacks() {
        return Corpus.all().stream().filter(attack -> attack.request().length() < 1000);
    }

    private static void assertHarmless(Malformed attack, String response) {
        assertFalse(HANDLED.contains("/smuggled"), "smuggled: " + response);
        assertTrue(HANDLED.size() <= 1, "handled " + HANDLED);
        if (!response.isEmpty()) {
            assertTrue(attack.statuses().contains(status(response)), response);
            assertEquals(1, response.split("HTTP/1.1 ", -1).length - 1, "one response: " + response);
        }
        assertFalse(response.contains("\tat "), "a stack trace: " + response);
        if (!attack.statuses().contains(200)) {
            assertEquals(List.of(), HANDLED);
        }
    }

    private static int status(String response) {
        assertTrue(response.startsWith("HTTP/1.1 "), response);
        return Integer.parseInt(response.substring(9, 12));
    }
}
