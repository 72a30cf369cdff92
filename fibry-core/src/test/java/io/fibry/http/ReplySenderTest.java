package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The deadlines of a connection's last response. */
class ReplySenderTest {

    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final long HOUR = Duration.ofHours(1).toNanos();

    private final ClientDeadline deadline =
            new ClientDeadlines(HttpOptions.defaults().writeTimeout(Duration.ofHours(1))).take();

    private boolean closed;

    /** A minute passes in each step. Only the close, which reads the rest of the request, may be interrupted by it. */
    @ParameterizedTest
    @ValueSource(ints = {5, ResponseBody.PIECE + 1})
    void onlyTheRestOfTheRequestHasTheShortDeadline(int length) throws Exception {
        HttpExchange exchange = new FakeExchange("hello") {
            private OutputStream body = new SlowBody();

            @Override
            public OutputStream getResponseBody() {
                return body;
            }

            @Override
            public void sendResponseHeaders(int code, long bytes) {
                assertFalse(isInterruptedAfterAMinute());
            }

            @Override
            public void setStreams(InputStream in, OutputStream out) {
                body = out;
            }
        };
        new ReplySender(exchange, deadline).sendLast(new HttpReply(200, null, "x".repeat(length)));
        assertTrue(closed);
        assertFalse(Thread.interrupted());
    }

    private boolean isInterruptedAfterAMinute() {
        return isInterruptedAfter(MINUTE);
    }

    private boolean isInterruptedAfter(long nanos) {
        deadline.check(System.nanoTime() + nanos);
        return Thread.interrupted();
    }

    @Test
    void theHeadOfALargeResponseHasTheWriteTimeout() {
        var interrupted = new AtomicBoolean();
        HttpExchange exchange = new FakeExchange("hello") {
            @Override
            public void sendResponseHeaders(int code, long bytes) {
                interrupted.set(isInterruptedAfter(2 * HOUR));
            }
        };
        var sender = new ReplySender(exchange, deadline);
        var reply = new HttpReply(200, null, "x".repeat(ResponseBody.PIECE + 1));
        assertThrows(ClientException.class, () -> sender.send(reply));
        assertTrue(interrupted.get());
        assertFalse(Thread.interrupted());
    }

    private final class SlowBody extends OutputStream {
        @Override
        public void write(int b) {
            assertFalse(isInterruptedAfterAMinute());
        }

        @Override
        public void flush() {
            assertFalse(isInterruptedAfterAMinute());
        }

        @Override
        public void close() {
            closed = true;
            assertTrue(isInterruptedAfterAMinute());
        }
    }
}
