package io.fibry.cluster;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address of a node, as {@code host:port}. */
final class NodeAddress {

    static final int HIGHEST_PORT = 65_535;

    private static final Pattern ADDRESS = Pattern.compile("(?:\\[([0-9a-fA-F:]+)]|([^:\\s\\[\\]]+)):(\\d{1,5})");

    private NodeAddress() {}

    /** @throws IllegalArgumentException if the address is not valid */
    static void check(String address) {
        Matcher matcher = ADDRESS.matcher(address);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "an address must be host:port, such as 10.0.0.1:7001, not \"" + address + "\"");
        }
        checkPort("the port of an address", Integer.parseInt(matcher.group(3)));
    }

    static void checkPort(String what, int port) {
        if (port < 1 || port > HIGHEST_PORT) {
            throw new IllegalArgumentException(what + " must be from 1 to " + HIGHEST_PORT + ", not " + port);
        }
    }

    static String of(InetAddress address, int port) {
        String host = address.getHostAddress();
        return (address instanceof Inet6Address ? "[" + host + "]" : host) + ":" + port;
    }
}
