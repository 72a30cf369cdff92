package io.fibry.net;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that are beyond the limits, and those that another HTTP parser could understand in another way: a proxy in
 * front of the server and the server would then disagree about where a request ends, and the next one would be the
 * attacker's. The servers below find some of it themselves, each its own part.
 */
final class RequestCheck {

    /** As HTTP/2 counts, and the JDK: for what a line costs beyond its text. */
    private static final int LINE_OVERHEAD = 32;

    private static final int LONGEST_LENGTH = 18; // as many digits as surely fit into a long

    private static final HttpReply BAD_REQUEST = new HttpReply(400, null, "Bad Request");
    private static final HttpReply TOO_LARGE = new HttpReply(413, null, "Content Too Large");
    private static final HttpReply HEADERS_TOO_LARGE = new HttpReply(431, null, "Request Header Fields Too Large");
    private static final HttpReply NOT_IMPLEMENTED = new HttpReply(501, null, "Not Implemented");
    private static final HttpReply WRONG_VERSION = new HttpReply(505, null, "HTTP Version Not Supported");

    private final HttpOptions limits;

    RequestCheck(HttpOptions limits) {
        this.limits = limits;
    }

    /** The refusal of a request, or null if there is nothing against it. */
    @Nullable
    HttpReply refusal(HttpExchange exchange) {
        String version = exchange.getProtocol();
        boolean current = version.equals("HTTP/1.1");
        if (!current && !version.equals("HTTP/1.0")) {
            return WRONG_VERSION; // also a request line that did not end where we think: a line feed without return
        }
        String path = exchange.getRequestURI().getRawPath();
        if (path == null || path.isEmpty() || !HttpTokens.isToken(exchange.getRequestMethod())) {
            return BAD_REQUEST;
        }
        Headers headers = exchange.getRequestHeaders();
        HttpReply refusal = ofLines(exchange, headers);
        if (refusal == null) {
            refusal = isHostValid(headers.get("Host"), current) ? ofBody(headers, current) : BAD_REQUEST;
        }
        return refusal;
    }

    /** Whether such a request may have a body. */
    static boolean hasBody(Headers headers) {
        return headers.containsKey("Content-Length") || isChunked(headers);
    }

    /**
     * Whether the body of such a request ends where its chunks say. The size of a chunk may be a number too large for the
     * server below, so that it thinks that the body has ended, and takes the rest of it for requests.
     */
    static boolean isChunked(Headers headers) {
        return headers.containsKey("Transfer-Encoding");
    }

    private @Nullable HttpReply ofLines(HttpExchange exchange, Headers headers) {
        int lines = 0;
        long bytes = (long) exchange.getRequestMethod().length()
                + exchange.getRequestURI().toString().length()
                + LINE_OVERHEAD;
        for (Map.Entry<String, List<String>> header : headers.entrySet()) {
            String name = header.getKey();
            if (!HttpTokens.isToken(name)) {
                return BAD_REQUEST;
            }
            for (String value : header.getValue()) {
                if (!HttpTokens.isFieldValue(value)) {
                    return BAD_REQUEST;
                }
                bytes += name.length() + value.length() + LINE_OVERHEAD;
                lines++;
            }
        }
        return lines > limits.maxHeaders() || bytes > limits.maxHeaderBytes() ? HEADERS_TOO_LARGE : null;
    }

    private static boolean isHostValid(@Nullable List<String> hosts, boolean needed) {
        if (hosts == null || hosts.isEmpty()) {
            return !needed;
        }
        return hosts.size() == 1 && HttpTokens.isHost(hosts.getFirst());
    }

    private @Nullable HttpReply ofBody(Headers headers, boolean current) {
        List<String> lengths = headers.get("Content-Length");
        List<String> encodings = headers.get("Transfer-Encoding");
        if (encodings != null) {
            if (lengths != null || !current) {
                return BAD_REQUEST;
            }
            return encodings.size() == 1 && encodings.getFirst().equalsIgnoreCase("chunked") ? null : NOT_IMPLEMENTED;
        }
        if (lengths == null) {
            return null;
        }
        String length = lengths.getFirst();
        if (lengths.size() > 1 || !HttpTokens.isDigits(length)) {
            return BAD_REQUEST; // such as +5, which the JDK takes for 5
        }
        return length.length() > LONGEST_LENGTH || Long.parseLong(length) > limits.maxBodyBytes() ? TOO_LARGE : null;
    }
}
