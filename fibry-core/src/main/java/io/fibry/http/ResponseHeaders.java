package io.fibry.http;

import com.sun.net.httpserver.Headers;
import io.fibry.dispatch.LogText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Prepares the headers that a handler has set: checks them, and removes headers that contradict the server about the
 * end of the response. Both sides must agree about that end, or the client reads a part of this response as the next
 * one.
 *
 * <p>The server sets the length or the chunks itself. A handler may only set the length of a body that is not sent, and
 * end the connection: other options of {@code Connection} would let a proxy remove the headers that they name.
 */
final class ResponseHeaders {

    private static final String CONNECTION = "Connection";
    private static final String LENGTH = "Content-Length";
    private static final String ENCODING = "Transfer-Encoding";
    private static final String CLOSE = "close";
    private static final String KEEP_ALIVE = "keep-alive";

    /** The headers that describe a body, in lower case. */
    private static final Set<String> OF_BODY = Set.of(
            "content-type",
            "content-encoding",
            "content-language",
            "content-location",
            "content-disposition",
            "content-range",
            "content-length",
            "transfer-encoding",
            "etag",
            "last-modified");

    private ResponseHeaders() {}

    /**
     * A copy for the response to a failure: without the headers that describe a body, since that response has another
     * one, and without headers that are not valid, since they may be the cause of the failure.
     */
    static Headers copyForErrors(Headers headers) {
        var copy = new Headers();
        headers.forEach((name, values) -> {
            if (HttpTokens.isToken(name)
                    && !OF_BODY.contains(name.toLowerCase(Locale.ROOT))
                    && values.stream().allMatch(HttpTokens::isFieldValue)) {
                copy.put(name, new ArrayList<>(values));
            }
        });
        return copy;
    }

    /**
     * Prepares headers to be sent.
     *
     * @param last whether the connection ends after the response
     * @param keepLength whether the handler may say a length, because the body is not sent
     * @throws IllegalArgumentException if a header is not valid
     */
    static void prepare(Headers headers, boolean last, boolean keepLength) {
        List<String> connection = List.of();
        List<String> lengths = List.of();
        boolean encoded = false;
        for (Map.Entry<String, List<String>> header : headers.entrySet()) {
            String name = header.getKey();
            List<String> values = header.getValue();
            check(name, values);
            if (name.equalsIgnoreCase(CONNECTION)) {
                connection = values;
            } else if (name.equalsIgnoreCase(LENGTH)) {
                lengths = values;
            } else if (name.equalsIgnoreCase(ENCODING)) {
                encoded = true;
            }
        }
        if (encoded) {
            headers.remove(ENCODING);
        }
        if (!lengths.isEmpty() && !(keepLength && isLength(lengths))) {
            headers.remove(LENGTH);
        }
        if (last || !connection.isEmpty()) {
            setConnection(headers, last || HttpTokens.isListed(CLOSE, connection), connection);
        }
    }

    private static boolean isLength(List<String> values) {
        return values.size() == 1 && HttpTokens.isDigits(values.getFirst());
    }

    /** Keeps {@code keep-alive}, which the provider sends to clients of HTTP/1.0. */
    private static void setConnection(Headers headers, boolean close, List<String> connection) {
        if (close) {
            headers.set(CONNECTION, CLOSE);
        } else if (HttpTokens.isListed(KEEP_ALIVE, connection)) {
            headers.set(CONNECTION, KEEP_ALIVE);
        } else {
            headers.remove(CONNECTION);
        }
    }

    private static void check(String name, List<String> values) {
        if (!HttpTokens.isToken(name)) {
            throw new IllegalArgumentException("\"" + LogText.plain(name) + "\" is not a valid name of a header");
        }
        for (String value : values) {
            if (!HttpTokens.isFieldValue(value)) {
                throw new IllegalArgumentException("the value of the header " + name
                        + " has a line break, another control character, or a character outside ISO 8859-1");
            }
        }
    }
}
