package io.fibry.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the head of a request says that matters to the server, found in one pass: to look a name up in {@link Headers}
 * makes a string each time. The names are compared here, since each provider keeps them in a form of its own.
 */
final class RequestHead {

    /** As HTTP/2 counts, and the JDK: for what a line costs beyond its text. */
    private static final int LINE_OVERHEAD = 32;

    private List<String> hosts = List.of();
    private List<String> lengths = List.of();
    private List<String> encodings = List.of();
    private int lines; // without the request line
    private long bytes;
    private boolean valid = true;

    RequestHead(HttpExchange exchange) {
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
        }
    }

    /** A provider may keep the lines of one name under each of its spellings. */
    private static List<String> both(List<String> before, List<String> values) {
        if (before.isEmpty()) {
            return values;
        }
        var all = new ArrayList<>(before);
        all.addAll(values);
        return all;
    }

    /** Whether all names and values have only characters that they may have. */
    boolean isValid() {
        return valid;
    }

    /** How many header lines there are. */
    int lines() {
        return lines;
    }

    /** Of the request line and the header lines, each with something for what it costs beyond its text. */
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

    /** Whether such a request may have a body. */
    boolean hasBody() {
        return !lengths.isEmpty() || isChunked();
    }

    /**
     * Whether the body of such a request ends where its chunks say. The size of a chunk may be a number too large for the
     * server below, so that it thinks that the body has ended, and takes the rest of it for requests.
     */
    boolean isChunked() {
        return !encodings.isEmpty();
    }
}
