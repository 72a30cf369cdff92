package io.fibry.http;

import com.sun.net.httpserver.HttpExchange;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that are beyond the limits, and those that another HTTP parser could understand in another way: a proxy in
 * front of the server and the server would then disagree about where a request ends, and the next one would be the
 * attacker's. The servers below find some of it themselves, each its own part.
 */
final class RequestCheck {

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
    HttpReply refusal(HttpExchange exchange, RequestHead head) {
        String version = exchange.getProtocol();
        boolean current = version.equals("HTTP/1.1");
        if (!current && !version.equals("HTTP/1.0")) {
            return WRONG_VERSION; // also a request line that did not end where we think: a line feed without return
        }
        String path = exchange.getRequestURI().getRawPath();
        if (path == null
                || path.isEmpty()
                || !isAuthorityValid(exchange.getRequestURI(), head.hosts())
                || !HttpTokens.isToken(exchange.getRequestMethod())
                || !head.isValid()
                || !isHostValid(head.hosts(), current)) {
            return BAD_REQUEST;
        }
        if (head.lines() > limits.maxHeaders() || head.bytes() > limits.maxHeaderBytes()) {
            return HEADERS_TOO_LARGE;
        }
        return ofBody(head, current);
    }

    /**
     * Whether the target names no host, or the one of the {@code Host} header. Of {@code //a/b}, which a proxy may take for a path,
     * the server would see only {@code /b}.
     */
    private static boolean isAuthorityValid(URI target, List<String> hosts) {
        String authority = target.getRawAuthority();
        return authority == null
                ? target.getScheme() == null
                : target.getScheme() != null && (hosts.isEmpty() || authority.equalsIgnoreCase(hosts.getFirst()));
    }

    private static boolean isHostValid(List<String> hosts, boolean needed) {
        return hosts.isEmpty() ? !needed : hosts.size() == 1 && HttpTokens.isHost(hosts.getFirst());
    }

    private @Nullable HttpReply ofBody(RequestHead head, boolean current) {
        List<String> lengths = head.lengths();
        List<String> encodings = head.encodings();
        if (!encodings.isEmpty()) {
            if (!lengths.isEmpty() || !current) {
                return BAD_REQUEST;
            }
            return encodings.size() == 1 && encodings.getFirst().equalsIgnoreCase("chunked") ? null : NOT_IMPLEMENTED;
        }
        if (lengths.isEmpty()) {
            return null;
        }
        String length = lengths.getFirst();
        if (lengths.size() > 1 || !HttpTokens.isDigits(length)) {
            return BAD_REQUEST; // such as +5, which the JDK takes for 5
        }
        return length.length() > LONGEST_LENGTH || Long.parseLong(length) > limits.maxBodyBytes() ? TOO_LARGE : null;
    }
}
