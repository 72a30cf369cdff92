package io.fibry.helidon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.test.TestSystem;
import org.junit.jupiter.api.Test;

/** A test with a time of its own has no sockets. */
class VirtualTimeTest {

    @Test
    void aServerIsRefused() {
        try (TestSystem test = TestSystem.create()) {
            var refused = assertThrows(
                    UnsupportedOperationException.class,
                    () -> HelidonServer.start(
                            test.system().actor("web"), 0, HelidonRoutes.none(), HelidonOptions.defaults()));
            assertEquals(true, refused.getMessage().startsWith("a test has no server"), refused.getMessage());
        }
    }
}
