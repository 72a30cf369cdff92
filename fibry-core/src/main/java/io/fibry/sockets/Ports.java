package io.fibry.sockets;

import io.fibry.dispatch.Control;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Makes addresses to listen on, and the exception if listening fails. */
public final class Ports {

    private static final int HIGHEST = 65535;

    private Ports() {}

    /** The address to listen on; a null host means all local addresses. A test that controls its threads has none. */
    public static InetSocketAddress address(@Nullable InetAddress host, int port) {
        Control.refuseUnderControl("server");
        if (port < 0 || port > HIGHEST) {
            throw new IllegalArgumentException(
                    "port " + port + " is not from 0 to " + HIGHEST + "; use 0 for a free port");
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
