package io.fibry.net;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header of the PROXY protocol, version 1 or 2, in which a proxy sends the address of its client. It reads
 * the header byte by byte, and nothing after it: the rest belongs to the handler.
 */
final class ProxyHeader {

    private static final byte[] SIGNATURE = {'\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n'};
    private static final int LONGEST_LINE = 107; // of version 1, with its end
    private static final int LOCAL = 0x20; // version 2 without a client: the proxy's own health check
    private static final int PROXY = 0x21;
    private static final int IPV4 = 1;
    private static final int IPV6 = 2;
    private static final Pattern LINE =
            Pattern.compile("PROXY (TCP4|TCP6) (\\S+) (\\S+) (0|[1-9]\\d{0,4}) (0|[1-9]\\d{0,4})");
    private static final String BYTE = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final Pattern FOUR = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    private static final Pattern SIX = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private ProxyHeader() {}

    /**
     * The address of the client, or null if the proxy tells none.
     *
     * @throws ProtocolException if the input does not begin with a valid header
     */
    static @Nullable InetSocketAddress read(InputStream in) throws IOException {
        int first = next(in);
        if (first == 'P') {
            return ofLine(line(in));
        }
        if (first == SIGNATURE[0]) {
            return ofBytes(in);
        }
        throw invalid("it begins with neither version");
    }

    // ---- version 1

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder("P");
        while (line.length() < LONGEST_LINE) {
            line.append((char) next(in));
            if (line.charAt(line.length() - 1) == '\n') {
                if (line.charAt(line.length() - 2) != '\r') {
                    throw invalid("its line has no carriage return");
                }
                return line.substring(0, line.length() - 2);
            }
        }
        throw invalid("its line is longer than " + LONGEST_LINE + " bytes");
    }

    private static @Nullable InetSocketAddress ofLine(String line) throws IOException {
        if (line.equals("PROXY UNKNOWN") || line.startsWith("PROXY UNKNOWN ")) {
            return null;
        }
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw invalid("its line is not of version 1");
        }
        boolean four = parts.group(1).equals("TCP4");
        address(parts.group(3), four); // the proxy's own address is only checked
        port(parts.group(5));
        return new InetSocketAddress(address(parts.group(2), four), port(parts.group(4)));
    }

    /** Parses a literal; a name would be looked up. */
    @SuppressWarnings("AddressSelection") // a literal is one address
    private static InetAddress address(String text, boolean four) throws IOException {
        if (!(four ? FOUR : SIX).matcher(text).matches()) {
            throw invalid("an address is not of its family");
        }
        try {
            return InetAddress.getByName(four ? text : "[" + text + "]");
        } catch (UnknownHostException e) {
            throw invalid("an address is not valid");
        }
    }

    private static int port(String text) throws ProtocolException {
        int port = Integer.parseInt(text);
        if (port > 0xffff) {
            throw invalid("a port is not valid");
        }
        return port;
    }

    // ---- version 2

    private static @Nullable InetSocketAddress ofBytes(InputStream in) throws IOException {
        byte[] head = new byte[16];
        head[0] = SIGNATURE[0];
        for (int i = 1; i < head.length; i++) {
            head[i] = (byte) next(in);
            if (i < SIGNATURE.length && head[i] != SIGNATURE[i]) {
                throw invalid("its signature is not of version 2");
            }
        }
        if (head[12] != LOCAL && head[12] != PROXY) {
            throw invalid("its version or command is not known");
        }
        byte[] body = in.readNBytes(unsigned(head, 14));
        if (body.length < unsigned(head, 14)) {
            throw new EOFException("the connection has ended within the header of the PROXY protocol");
        }
        int family = head[12] == LOCAL ? 0 : (head[13] & 0xff) >> 4;
        return switch (family) {
            case IPV4 -> client(body, 4);
            case IPV6 -> client(body, 16);
            default -> null; // no client, or one that is not of the internet
        };
    }

    /** The two addresses are followed by the two ports, and by extensions, which are ignored. */
    private static InetSocketAddress client(byte[] body, int length) throws IOException {
        if (body.length < 2 * length + 4) {
            throw invalid("its addresses are too short");
        }
        return new InetSocketAddress(InetAddress.getByAddress(Arrays.copyOf(body, length)), unsigned(body, 2 * length));
    }

    private static int unsigned(byte[] bytes, int at) {
        return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
    }

    private static int next(InputStream in) throws IOException {
        int b = in.read();
        if (b < 0) {
            throw new EOFException("the connection has ended within the header of the PROXY protocol");
        }
        return b;
    }

    private static ProtocolException invalid(String why) {
        return new ProtocolException("the header of the PROXY protocol is not valid: " + why);
    }
}
