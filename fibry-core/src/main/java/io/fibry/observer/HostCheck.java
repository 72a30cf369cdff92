package io.fibry.observer;

import com.sun.net.httpserver.HttpExchange;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the {@code Host} of requests, against DNS rebinding: a foreign page whose name leads to this server could read
 * it, because the browser considers both as one site. Its name is in the {@code Host}. Therefore only known names are
 * allowed, and the address that the client has connected to, which no name can imitate.
 */
final class HostCheck {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Set<String> allowed;

    HostCheck(Set<String> allowed) {
        this.allowed =
                allowed.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /** The server has refused requests with two of them, and with an invalid one. */
    boolean accepts(HttpExchange exchange) {
        String header = exchange.getRequestHeaders().getFirst("Host");
        return header != null
                && accepts(
                        withoutPort(header).toLowerCase(Locale.ROOT),
                        exchange.getLocalAddress().getAddress());
    }

    boolean accepts(String host, @Nullable InetAddress connectedTo) {
        return LOOPBACK.contains(host)
                || allowed.contains(host)
                || (connectedTo != null && isAddress(host, connectedTo));
    }

    private static boolean isAddress(String host, InetAddress address) {
        if (!host.startsWith("[")) {
            return host.equals(address.getHostAddress());
        }
        try {
            return InetAddress.getByName(host).equals(address); // in brackets, so no name is looked up
        } catch (UnknownHostException e) {
            return false;
        }
    }

    static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    }
}
