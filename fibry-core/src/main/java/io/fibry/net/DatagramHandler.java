package io.fibry.net;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.SocketAddress;

/** Handles the datagrams of a {@link UdpServer}. */
@FunctionalInterface
public interface DatagramHandler {

    /**
     * Handles a datagram. May block; the next datagram waits meanwhile.
     *
     * @param datagram the data and the sender's address; the handler may keep it
     * @param server sends answers, for instance to {@code datagram.getSocketAddress()}
     * @throws Exception any exception. It is logged, and the next datagram is handled
     */
    void handle(DatagramPacket datagram, Sender server) throws Exception;

    /** Sends datagrams from the server's port. Any thread may use it. */
    @FunctionalInterface
    interface Sender {

        /**
         * Sends a datagram, without waiting. As always with UDP, the datagram may be lost.
         *
         * @return false if the operating system had no room for the datagram, so it was not sent
         * @throws IOException if the datagram is too long, or the address cannot be reached, or the server has ended
         */
        boolean send(byte[] data, SocketAddress to) throws IOException;
    }
}
