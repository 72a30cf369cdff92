package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.testing.ServerConsole;
import io.fibry.testing.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The system property that changes the time between the steps of {@code close}. */
@Timeout(60)
class CloseGraceTest {

    /** Reports the time in effect. */
    static final class Server {

        public static void main(String[] arguments) throws Exception {
            try (var system = ActorSystem.create()) {
                ServerConsole.run(0, Map.of("grace", () -> Closing.GRACE, "closing", system::isClosing));
            }
        }
    }

    /** The tests have a shorter time; a separate JVM has the default. */
    @Test
    void withoutThePropertyTheGraceIsOneSecond() throws Exception {
        try (var server = ServerProcess.start(Server.class)) {
            assertEquals("PT1S", server.ask("grace"));
        }
        assertEquals(Duration.ofSeconds(1), CloseGrace.parse(null));
    }

    @Test
    void thePropertySetsTheGrace() throws Exception {
        try (var server = ServerProcess.startWith(List.of("-Dio.fibry.closeGrace=PT0.02S"), Server.class)) {
            assertEquals("PT0.02S", server.ask("grace"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "100ms", "PT0S", "PT-1S", "PT1H0.001S", "P9999999D"})
    void aWrongValueIsRefusedWithTheNameOfTheProperty(String value) {
        var e = assertThrows(IllegalArgumentException.class, () -> CloseGrace.parse(value));
        assertEquals(
                "The system property io.fibry.closeGrace has to be a duration such as PT0.5S, positive and at most"
                        + " PT1H, and it is \"" + value + "\"",
                e.getMessage());
    }

    @Test
    void aWrongValueShowsWhenASystemStarts() {
        var e = assertThrows(
                IOException.class, () -> ServerProcess.startWith(List.of("-Dio.fibry.closeGrace=soon"), Server.class));
        assertTrue(
                e.getMessage().contains("IllegalArgumentException: The system property io.fibry.closeGrace has to be"));
    }
}
