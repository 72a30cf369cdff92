package io.fibry.net;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.LogLines;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ConnectionTimerTest {

    /** It lasts while it is logged. */
    private static final class Lasting extends Error {

        private static final long serialVersionUID = 1;

        Lasting() {
            super("on purpose");
        }

        @Override
        public void printStackTrace(PrintStream out) {
            throw this;
        }
    }

    @Test
    void continuesAfterAFailure() throws Exception {
        assertFalse(logAfter(new AssertionError("on purpose")).isEmpty());
    }

    @Test
    void continuesAfterAFullHeap() throws Exception {
        logAfter(new OutOfMemoryError("on purpose"));
    }

    @Test
    void continuesAfterAFailureThatCannotBeLogged() throws Exception {
        assertFalse(logAfter(new Lasting()).isEmpty());
    }

    /** The log after some checks that have failed so. */
    private static List<String> logAfter(Error failure) throws Exception {
        var looks = new CountDownLatch(3);
        try (var log = new LogLines()) {
            var timer = new ConnectionTimer(
                    now -> {
                        looks.countDown();
                        throw failure;
                    },
                    1);
            timer.start();
            assertTrue(looks.await(60, TimeUnit.SECONDS));
            timer.stop();
            return log.with("timeouts of connections could not be checked this time");
        }
    }
}
