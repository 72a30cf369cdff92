package io.fibry.http;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.sockets.RequestPath;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that exceed the limits, and requests that another HTTP parser could read differently. If a proxy and
 * the server disagree about where a request ends, an attacker can smuggle in the next one. Each provider detects some
 * of these requests itself.
 */
final class RequestCheck {

    private static final int LONGEST_LENGTH = 18; // any number of 18 digits fits into a long

    private static final HttpReply BAD_REQUEST = new HttpReply(400, null, "Bad Request");
    private static final HttpReply TOO_LARGE = new HttpReply(413, null, "Content Too Large");
    private static final HttpReply HEADERS_TOO_LARGE = new HttpReply(431, null, "Request Header Fields Too Large");
    private static final HttpReply NOT_IMPLEMENTED = new HttpReply(501, null, "Not Implemented");
    private static final HttpReply WRONG_VERSION = new HttpReply(505, null, "HTTP Version Not Supported");

    private final HttpOptions limits;

    RequestCheck(HttpOptions limits) {
        this.limits = limits;
    }

    /** The reply that refuses the request, or null if the request is accepted. */
    @Nullable
    HttpReply refusal(HttpExchange exchange, RequestHead head) {
        String version = exchange.getProtocol();
        boolean current = version.equals("HTTP/1.1");
        if (!current && !version.equals("HTTP/1.0")) {
            return WRONG_VERSION; // also if a bare line feed ended the request line: the version then has more text
        }
        String path = exchange.getRequestURI().getRawPath();
        if (path == null
                || exchange.getRequestURI().getRawFragment() != null
                || !isAuthorityValid(exchange.getRequestURI(), head.hosts())
                || !HttpTokens.isToken(exchange.getRequestMethod())
                || !head.isValid()
                || !isHostValid(head.hosts(), current)) {
            return BAD_REQUEST;
        }
        String fault = RequestPath.fault(path);
        if (fault != null) {
            return new HttpReply(400, null, "Bad Request: the path " + fault);
        }
        if (head.lines() > limits.maxHeaders() || head.bytes() > limits.maxHeaderBytes()) {
            return HEADERS_TOO_LARGE;
        }
        return ofBody(head, current);
    }

    /**
     * Whether the target has no host, or the same one as the {@code Host} header. A proxy may read {@code //a/b} as a
     * path, but the server would see only {@code /b}. In {@code ///b}, the host is empty, and {@code URI} reports none.
     */
    private static boolean isAuthorityValid(URI target, List<String> hosts) {
        String authority = target.getRawAuthority();
        String scheme = target.getScheme();
        return authority == null
                ? scheme == null && !target.toString().startsWith("//")
                : isHttp(scheme) && (hosts.isEmpty() || authority.equalsIgnoreCase(hosts.getFirst()));
    }

    /** Either one is accepted, because a proxy may have ended the TLS of the client. */
    private static boolean isHttp(@Nullable String scheme) {
        return "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme);
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
            return BAD_REQUEST; // for example +5, which the JDK reads as 5
        }
        return length.length() > LONGEST_LENGTH || Long.parseLong(length) > limits.maxBodyBytes() ? TOO_LARGE : null;
    }
}
