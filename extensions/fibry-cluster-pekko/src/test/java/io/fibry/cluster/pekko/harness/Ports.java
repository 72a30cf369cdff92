package io.fibry.cluster.pekko.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/** Addresses, and ports that are currently unused. */
public final class Ports {

    private Ports() {}

    static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Returns a port that is free on this address. */
    public static int free(String host) throws IOException {
        try (var socket = new ServerSocket(0, 1, address(host))) {
            return socket.getLocalPort();
        }
    }
}
