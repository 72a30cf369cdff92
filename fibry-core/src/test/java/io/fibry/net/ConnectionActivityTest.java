package io.fibry.net;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.sockets.Ports;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The timestamps that a connection keeps of its reads and writes. No time passes here: the queries are about times in
 * the past.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(60)
class ConnectionActivityTest {

    private static final long LONG_WAIT = Duration.ofMillis(20).toNanos();

    private final ConnectionActivity activity = new ConnectionActivity(() -> false, true);

    /** A time after all previous actions, and before all later ones. */
    private static long now() {
        long last = System.nanoTime();
        long next = last;
        while (next == last) {
            next = System.nanoTime();
        }
        return next;
    }

    private boolean isStalled(long now) {
        return activity.isStalled(0, now);
    }

    @Test
    void aConnectionWithoutReadsAndWritesIsNotStalled() {
        assertFalse(isStalled(now()));
        activity.beginRead();
        activity.endRead(1);
        activity.beginWrite();
        activity.endWrite();
        assertFalse(isStalled(now()));
    }

    @Test
    void aWaitIsStalledSinceItsStart() {
        long before = now();
        activity.beginRead();
        assertFalse(isStalled(before));
        assertTrue(isStalled(now()));
        activity.endRead(-1);
        before = now();
        activity.beginWrite();
        assertFalse(isStalled(before));
        long after = now();
        assertTrue(isStalled(after));
        assertFalse(activity.isStalled(after - before, after));
    }

    @Test
    void aReadThatWaitsIsNotStalledSinceTheLastWrite() {
        activity.beginRead();
        long before = now();
        activity.beginWrite();
        assertFalse(isStalled(before));
        before = now();
        activity.endWrite();
        assertFalse(isStalled(before));
        assertTrue(isStalled(now()));
    }

    @Test
    void aWriteThatWaitsIsNotStalledSinceTheLastRead() {
        activity.beginWrite();
        activity.beginRead();
        long before = now();
        activity.endRead(1);
        assertFalse(isStalled(before));
        assertTrue(isStalled(now()));
    }

    /** Otherwise a handler that tries again after each timeout of a read would never be stalled. */
    @Test
    void failedReadsCountAsOneWait() {
        long first = now();
        activity.beginRead();
        long begun = now();
        long ending = now();
        while (ending - begun < LONG_WAIT) { // the later pauses must be shorter
            ending = now();
        }
        activity.endRead(-1);
        long ended = now();
        activity.beginRead();
        long after = now();
        assertTrue(activity.isStalled(ending - begun - 1, after), "what was waited before counts");
        assertFalse(activity.isStalled(ended - first, ended), "what lay between does not");
    }

    @Test
    void aReadAfterATransferIsStalledSinceTheTransfer() {
        activity.beginRead();
        activity.endRead(-1);
        long before = now();
        activity.beginWrite();
        activity.endWrite();
        activity.beginRead();
        assertFalse(isStalled(before));
        activity.endRead(1);
        before = now();
        activity.beginRead();
        assertFalse(isStalled(before));
    }

    @Test
    void aWriterIsStalledInSpiteOfFailedReads() {
        activity.beginWrite();
        long before = now();
        activity.beginRead();
        activity.endRead(-1);
        activity.beginRead();
        assertTrue(isStalled(before));
    }

    /** A connection whose answers come from elsewhere: while it drains, a write does not mean that it has answered. */
    @Test
    void aForwardedConnectionIsIdleWhenNoDataMoves() {
        long quiet = Duration.ofDays(1).toNanos();
        var forwarded = new ConnectionActivity(
                new ConnectionActivity.Drain() {
                    @Override
                    public boolean isDraining() {
                        return true;
                    }

                    @Override
                    public long quietNanos() {
                        return quiet;
                    }
                },
                true);
        assertTrue(forwarded.beginRead());
        forwarded.beginWrite();
        assertFalse(forwarded.endWrite());
        assertFalse(forwarded.isIdle(now()));
        assertTrue(forwarded.isIdle(now() + quiet));
        forwarded.beginWrite();
        assertFalse(forwarded.isIdle(now() + 2 * quiet));
    }

    /** With the streams of a socket: a reader waits while another thread writes. */
    @Test
    void theStreamsOfASocketRecordTheirActivity() throws Exception {
        var loopback = InetAddress.getLoopbackAddress();
        var options = TcpOptions.defaults().idleTimeout(Duration.ofDays(1));
        try (var listener = Listener.open(Ports.address(loopback, 0), options, () -> false);
                var client = new Client(listener.getLocalPort());
                var socket = listener.accept()) {
            var received = CompletableFuture.supplyAsync(() -> read(socket), Thread::startVirtualThread);
            await().atMost(Duration.ofSeconds(30)).until(() -> socket.activity().isIdle(now()));
            long before = now();
            assertTrue(socket.activity().isStalled(0, before));
            socket.getOutputStream().write('x');
            assertFalse(socket.activity().isStalled(0, before));
            assertEquals("x", client.receive(1));
            client.send("y");
            assertEquals('y', received.join());
            assertFalse(socket.activity().isIdle(now()));
            assertFalse(socket.activity().isStalled(0, now()));
        }
    }

    private static int read(Socket socket) {
        try {
            return socket.getInputStream().read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
