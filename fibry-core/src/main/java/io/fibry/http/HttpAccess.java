package io.fibry.http;

import com.sun.net.httpserver.Headers;
import io.fibry.dispatch.LogText;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * A request that has ended, for {@link HttpOptions#accessLog}.
 *
 * {@snippet class = "HttpSnippets" region = "accessLog"}
 *
 * @param client the address of the client, or of the proxy in front of the server
 * @param began when the head of the request was complete
 * @param took the time from then to the end of the response
 * @param method the method as the client sent it; it may contain any character
 * @param target the path and the query as the client sent them; a query may contain secrets
 * @param route the path of the route as it was added, such as {@code /orders/{id}}; empty if no route with a path has
 *     handled the request
 * @param protocol the version of HTTP as the client sent it
 * @param headers the headers of the request; do not modify them
 * @param status the status of the response, or 0 if there was none
 * @param bytesSent the bytes of the response's body
 */
public record HttpAccess(
        InetSocketAddress client,
        Instant began,
        Duration took,
        String method,
        String target,
        String route,
        String protocol,
        Headers headers,
        int status,
        long bytesSent) {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);

    /**
     * Returns the request as a line of the common log format, with the time in the given zone. Quotes, backslashes and
     * characters that are not printable ASCII are escaped, so a client cannot forge a line.
     */
    public String toCommonLog(ZoneId zone) {
        return client.getAddress().getHostAddress() + " - - [" + TIME.format(began.atZone(zone)) + "] \""
                + escaped(method)
                + ' ' + escaped(target) + ' ' + escaped(protocol) + "\" " + (status == 0 ? "-" : "" + status) + ' '
                + (bytesSent == 0 ? "-" : "" + bytesSent);
    }

    /** Returns all components on one line, without control characters. */
    @Override
    public String toString() {
        return LogText.plain("HttpAccess[client=" + client + ", began=" + began + ", took=" + took + ", method="
                + method
                + ", target=" + target + ", route=" + route + ", protocol=" + protocol + ", headers="
                + headers.entrySet() + ", status="
                + status + ", bytesSent=" + bytesSent + "]");
    }

    private static String escaped(String text) {
        var escaped = new StringBuilder(text.length());
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b == '"' || b == '\\') {
                escaped.append('\\').append((char) b);
            } else if (b >= ' ' && b < 0x7f) {
                escaped.append((char) b);
            } else {
                escaped.append(String.format("\\x%02x", b));
            }
        }
        return escaped.toString();
    }
}
