package io.fibry.net;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Selector;
import org.junit.jupiter.api.Test;

/** The selector of a datagram socket. */
class UdpSocketTest {

    @Test
    void aSelectorIsClosedIfTheChannelCannotBeRegistered() throws IOException {
        DatagramChannel closed = DatagramChannel.open();
        closed.close();
        try (Selector selector = Selector.open()) {
            assertThrows(ClosedChannelException.class, () -> UdpSocket.registered(closed, selector));
            assertFalse(selector.isOpen());
        }
    }

    @Test
    void aSelectorWithTheChannelStaysOpen() throws IOException {
        try (DatagramChannel channel = DatagramChannel.open();
                Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            assertSame(selector, UdpSocket.registered(channel, selector));
            assertTrue(selector.isOpen());
        }
    }
}
