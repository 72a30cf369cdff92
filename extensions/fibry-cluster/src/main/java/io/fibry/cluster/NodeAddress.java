package io.fibry.cluster;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address of a node, as {@code host:port}. */
final class NodeAddress {

    static final int HIGHEST_PORT = 65_535;

    private static final Pattern ADDRESS = Pattern.compile("(?:\\[([0-9a-fA-F:]+)]|([^:\\s\\[\\]]+)):(\\d{1,5})");

    private NodeAddress() {}

    /**
     * Returns the address in its canonical form: see {@link #host}.
     *
     * @throws IllegalArgumentException if the address is not valid
     */
    static String canonical(String address) {
        Matcher matcher = ADDRESS.matcher(address);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "an address must be host:port, such as 10.0.0.1:7001, not \"" + address + "\"");
        }
        checkPort("the port of an address", Integer.parseInt(matcher.group(3)));
        return host(address.substring(0, address.lastIndexOf(':'))) + address.substring(address.lastIndexOf(':'));
    }

    /**
     * Returns a host in its canonical form. An IPv6 address has brackets, all digits, and no scope, since nodes compare
     * addresses as text. Other hosts remain as they are.
     *
     * @throws IllegalArgumentException if it has a colon and is not an IPv6 address
     */
    static String host(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        if (bare.indexOf(':') < 0) {
            return host;
        }
        try {
            return host(InetAddress.getByName(bare)); // an address, not a name: no lookup
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("host is not an IPv6 address: " + host, e);
        }
    }

    private static String host(InetAddress address) {
        String text = address.getHostAddress();
        if (!(address instanceof Inet6Address)) {
            return text;
        }
        int scope = text.indexOf('%');
        return "[" + (scope < 0 ? text : text.substring(0, scope)) + "]";
    }

    static void checkPort(String what, int port) {
        if (port < 1 || port > HIGHEST_PORT) {
            throw new IllegalArgumentException(what + " must be from 1 to " + HIGHEST_PORT + ", not " + port);
        }
    }

    static String of(InetAddress address, int port) {
        return host(address) + ":" + port;
    }
}
