package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The deadline of a write is a nanosecond after its begin. */
@Timeout(60)
class ClientDeadlineTest {

    private final ClientDeadlines deadlines = new ClientDeadlines(
            HttpOptions.defaults().requestTimeout(Duration.ofDays(1)).writeTimeout(Duration.ofNanos(1)));
    private final ClientDeadline deadline = deadlines.take();

    /** The handler reads the body, while another thread writes the response. */
    @Test
    void aWriteHasItsDeadlineAlsoIfItBeginsDuringARead() {
        var read = deadline.beginRead(deadline.requestDeadline());
        assertNotNull(read);
        boolean late = Await.value(CompletableFuture.supplyAsync(
                () -> {
                    var write = deadline.beginWrite();
                    assertFalse(deadline.end(read));
                    deadline.check(aMillisecondLater());
                    boolean interrupted = Thread.currentThread().isInterrupted();
                    return deadline.end(write) && interrupted;
                },
                Thread::startVirtualThread));
        assertTrue(late);
        assertEquals(1, deadlines.exceeded());
        assertFalse(deadline.isWaiting());
    }

    /** The end of a response also reads the rest of the request. */
    @Test
    void aReadWithinAWriteOfTheSameThreadHasTheDeadlineOfTheWrite() {
        var write = deadline.beginWrite();
        assertNull(deadline.beginRead(deadline.requestDeadline()));
        deadline.check(aMillisecondLater());
        assertTrue(deadline.end(write));
        assertFalse(Thread.currentThread().isInterrupted());
        assertFalse(deadline.isWaiting());
    }

    private static long aMillisecondLater() {
        return System.nanoTime() + 1_000_000;
    }
}
