package io.fibry.sockets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Addresses to listen on, and what to tell if that does not work. */
public final class Ports {

    private static final int HIGHEST = 65535;

    private Ports() {}

    /** An address to listen on; no host means all local ones. */
    public static InetSocketAddress address(@Nullable InetAddress host, int port) {
        if (port < 0 || port > HIGHEST) {
            throw new IllegalArgumentException("the port " + port + " is not within 0 to " + HIGHEST
                    + "; choose one that is, or 0 for a free one");
        }
        return new InetSocketAddress(host, port);
    }

    public static UncheckedIOException cannotListen(InetSocketAddress address, IOException cause) {
        InetAddress host = address.getAddress();
        String where = host.isAnyLocalAddress() ? "" : " of " + host.getHostAddress();
        return new UncheckedIOException(
                "cannot listen on port " + address.getPort() + where + ": " + cause.getMessage()
                        + "; choose another port, or 0 for a free one",
                cause);
    }
}
