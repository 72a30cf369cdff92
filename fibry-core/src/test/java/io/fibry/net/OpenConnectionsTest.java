package io.fibry.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** The permits of an acceptor. */
class OpenConnectionsTest {

    private static final InetAddress CLIENT = address(1);
    private static final InetAddress OTHER = address(2);

    private static InetAddress address(int host) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) host});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aConnectionInGraceDoesNotCount() {
        var connections = new OpenConnections(1, Integer.MAX_VALUE);
        assertTrue(connections.acquire(CLIENT));
        assertFalse(connections.acquire(CLIENT));
        connections.beginGrace(CLIENT);
        assertEquals(1, connections.count());
        assertTrue(connections.acquire(CLIENT));
        connections.endGrace(CLIENT);
        assertEquals(2, connections.count());
        connections.release(CLIENT);
        assertFalse(connections.acquire(CLIENT));
        connections.release(CLIENT);
        assertTrue(connections.acquire(CLIENT));
        assertEquals(2, connections.stats().refused());
    }

    @Test
    void itDoesNotCountForItsAddressEither() {
        var connections = new OpenConnections(10, 1);
        assertTrue(connections.acquire(CLIENT));
        assertFalse(connections.acquire(CLIENT));
        assertTrue(connections.acquire(OTHER));
        connections.beginGrace(CLIENT);
        assertFalse(connections.acquire(OTHER));
        assertTrue(connections.acquire(CLIENT));
        connections.endGrace(CLIENT);
        connections.release(CLIENT);
        assertFalse(connections.acquire(CLIENT));
        connections.release(CLIENT);
        assertTrue(connections.acquire(CLIENT));
    }
}
