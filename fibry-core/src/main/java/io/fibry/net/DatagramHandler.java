package io.fibry.net;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.SocketAddress;

/** What a {@link UdpServer} does with a datagram. */
@FunctionalInterface
public interface DatagramHandler {

    /**
     * Handles a datagram; it may block, but the next one waits for it.
     *
     * @param datagram its data, and who has sent it; the handler may keep it
     * @param server to send answers by, for instance to {@code datagram.getSocketAddress()}
     * @throws Exception as it likes: it is logged, and the next datagram is handled all the same
     */
    void handle(DatagramPacket datagram, Sender server) throws Exception;

    /** Sends datagrams from the server's port. Any thread may use it. */
    @FunctionalInterface
    interface Sender {

        /**
         * Sends a datagram. As everywhere with UDP, it may get lost on its way. Does not wait.
         *
         * @return false if the operating system had no room for it, so that it is lost already
         * @throws IOException if it is too long to be sent, or the address cannot be reached, or the server has ended
         */
        boolean send(byte[] data, SocketAddress to) throws IOException;
    }
}
