package io.fibry.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The parts of a request's head that the server checks, collected in one pass, because each lookup in {@link Headers}
 * allocates a string. Names are compared without case, because providers store them in different spellings.
 */
final class RequestHead {

    /** Bytes added for each line, to account for its overhead, as in HTTP/2 and in the JDK. */
    private static final int LINE_OVERHEAD = 32;

    private List<String> hosts = List.of();
    private List<String> lengths = List.of();
    private List<String> encodings = List.of();
    private List<String> connections = List.of();
    private final boolean old;
    private int lines; // header lines, without the request line
    private long bytes;
    private boolean valid = true;

    RequestHead(HttpExchange exchange) {
        old = exchange.getProtocol().equals("HTTP/1.0");
        bytes = (long) exchange.getRequestMethod().length()
                + exchange.getRequestURI().toString().length()
                + LINE_OVERHEAD;
        for (Map.Entry<String, List<String>> header :
                exchange.getRequestHeaders().entrySet()) {
            add(header.getKey(), header.getValue());
        }
    }

    private void add(String name, List<String> values) {
        valid &= HttpTokens.isToken(name);
        for (String value : values) {
            valid &= HttpTokens.isFieldValue(value);
            bytes += name.length() + value.length() + LINE_OVERHEAD;
            lines++;
        }
        if (name.equalsIgnoreCase("Host")) {
            hosts = both(hosts, values);
        } else if (name.equalsIgnoreCase("Content-Length")) {
            lengths = both(lengths, values);
        } else if (name.equalsIgnoreCase("Transfer-Encoding")) {
            encodings = both(encodings, values);
        } else if (name.equalsIgnoreCase("Connection")) {
            connections = both(connections, values);
        }
    }

    /** Joins the values: a provider may store the lines of one header under several spellings of its name. */
    private static List<String> both(List<String> before, List<String> values) {
        if (before.isEmpty()) {
            return values;
        }
        var all = new ArrayList<>(before);
        all.addAll(values);
        return all;
    }

    /** Whether all names and values consist of allowed characters. */
    boolean isValid() {
        return valid;
    }

    /** The number of header lines. */
    int lines() {
        return lines;
    }

    /** The size of the request line and the header lines, with 32 bytes added for each. */
    long bytes() {
        return bytes;
    }

    List<String> hosts() {
        return hosts;
    }

    List<String> lengths() {
        return lengths;
    }

    List<String> encodings() {
        return encodings;
    }

    /**
     * Whether the client uses the connection for no other request. With HTTP/1.0 it has to say that it does, in the one
     * form that the provider answers too.
     */
    boolean isLast() {
        if (old) {
            return connections.size() != 1 || !connections.getFirst().equalsIgnoreCase("keep-alive");
        }
        return !connections.isEmpty() && HttpTokens.isListed("close", connections);
    }

    /** Whether the request may have a body. */
    boolean hasBody() {
        return !lengths.isEmpty() || isChunked();
    }

    /**
     * Whether the body is sent in chunks. The size of a chunk may overflow in the provider, which then sees the end of
     * the body too early, and would read the rest of the body as the next request.
     */
    boolean isChunked() {
        return !encodings.isEmpty();
    }
}
