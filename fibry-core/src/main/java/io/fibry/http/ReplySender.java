package io.fibry.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.fibry.sockets.AskFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Sends the response of one exchange. */
final class ReplySender {

    private static final int NO_BODY = -1;
    private static final int UNKNOWN = 0;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final HttpReply UNAVAILABLE = new HttpReply(503, null, "Service Unavailable");

    private static final HttpReply TOO_MANY = new HttpReply(429, null, "Too Many Requests");

    /** In seconds. */
    private static final String RETRY_AFTER = "1";

    private final HttpExchange exchange;
    private final ClientDeadline deadline;
    private final ResponseBody body;
    private final int codeAtFirst;
    private String route = "";
    private boolean last;
    private boolean closes;
    private @Nullable Headers kept; // a copy; null for none

    ReplySender(HttpExchange exchange, ClientDeadline deadline) {
        this.exchange = exchange;
        this.deadline = deadline;
        this.codeAtFirst = exchange.getResponseCode();
        this.body = new ResponseBody(exchange.getResponseBody(), deadline);
        exchange.setStreams(exchange.getRequestBody(), body); // Jetty would store a null, the JDK ignores it
    }

    /** Whether the handler has begun a response. Compares with the initial code, which is not -1 in every provider. */
    boolean isAnswered() {
        return exchange.getResponseCode() != codeAtFirst || body.isUsed();
    }

    /** Sets the path of the route that was found, for the access log. */
    void route(String path) {
        route = path;
    }

    String route() {
        return route;
    }

    /** The number of bytes of the body that have been written. */
    long bytesSent() {
        return body.sent();
    }

    /** The reply for a client with too many requests in progress. */
    HttpReply tooManyOfAddress() {
        exchange.getResponseHeaders().set("Retry-After", RETRY_AFTER);
        return TOO_MANY;
    }

    /** The reply of an overloaded or stopping server. */
    HttpReply unavailable() {
        exchange.getResponseHeaders().set("Retry-After", RETRY_AFTER);
        return UNAVAILABLE;
    }

    /** The reply after the failure of an ask. */
    HttpReply reply(AskFailure failure) {
        if (failure.retryAfter() != null) {
            exchange.getResponseHeaders().set("Retry-After", failure.retryAfter());
        }
        return new HttpReply(failure.status(), null, failure.reason());
    }

    /** Whether the client may send another request after the response, which has been sent. */
    boolean keepsOpen() {
        return !"close".equalsIgnoreCase(exchange.getResponseHeaders().getFirst("Connection"));
    }

    /**
     * Makes the server close the connection after the response, and not wait long for the client: it may still send.
     */
    void makeLast() {
        last = true;
    }

    /**
     * Makes the server close the connection after the response. Unlike {@link #makeLast}, this does not shorten the
     * time for which the rest of the request is read.
     */
    void closeAfter() {
        closes = true;
    }

    /** Lets {@link #clearHeaders} keep the headers that are set now. */
    void keepHeaders() {
        kept = ResponseHeaders.copyForErrors(exchange.getResponseHeaders());
    }

    /** Removes the headers that a handler has set before it failed. */
    void clearHeaders() {
        Headers headers = exchange.getResponseHeaders();
        headers.clear();
        if (kept != null) {
            headers.putAll(kept);
        }
        if (exchange.getProtocol().equals("HTTP/1.0")) {
            closes = true; // the provider's answer to a client that asked for the connection to stay is gone too
        }
    }

    /** Sends a response, after which the server closes the connection. */
    void sendLast(HttpReply reply) throws IOException {
        makeLast();
        send(reply);
    }

    /**
     * Sends the head of a response, for a handler that writes the response itself.
     *
     * @throws IllegalArgumentException if a header is not valid, or the status or the length is out of range; nothing
     *     has been sent then
     */
    void sendHead(int status, long length) throws IOException {
        if (isAnswered()) {
            throw new IOException("the headers of this response have already been sent");
        }
        HttpReply.checkStatus(status);
        if (length < NO_BODY) {
            throw new IllegalArgumentException(
                    "the length of a response must be its bytes, 0 for an unknown length, or -1 for no body, not "
                            + length);
        }
        prepareHeaders(status);
        if (isHead()) {
            body.discard();
            if (length > 0 && !isWithout(status)) {
                exchange.getResponseHeaders().set("Content-Length", Long.toString(length));
            }
            body.sendHead(new Head(exchange, status, NO_BODY));
            return;
        }
        if (length != UNKNOWN || isWithout(status)) {
            body.announce(isWithout(status) ? 0 : Math.max(length, 0));
        }
        body.sendHead(new Head(exchange, status, length));
    }

    /**
     * Not a lambda: if its first use ran out of memory, Java would not try to link it again, and every later response
     * failed.
     */
    private record Head(HttpExchange exchange, int status, long length) implements ResponseBody.Step {
        @Override
        public void run() throws IOException {
            exchange.sendResponseHeaders(status, length);
        }
    }

    /**
     * Sends the response and ends the exchange, which also reads the rest of the request.
     *
     * @throws IllegalArgumentException if a header is not valid; nothing has been sent then
     */
    void send(HttpReply reply) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        setContentType(headers, reply);
        prepareHeaders(reply.status());
        byte[] bytes = reply.text().getBytes(StandardCharsets.UTF_8);
        if (isHead() && !isWithout(reply.status())) {
            headers.set("Content-Length", Integer.toString(bytes.length));
        }
        if (!hasBody(reply.status()) || bytes.length == 0) {
            sendWithout(reply.status());
        } else {
            sendWith(reply.status(), bytes);
        }
    }

    private static void setContentType(Headers headers, HttpReply reply) {
        if (reply.contentType() != null) {
            headers.set("Content-Type", reply.contentType());
        } else if (headers.isEmpty() || !headers.containsKey("Content-Type")) {
            headers.set("Content-Type", "text/plain; charset=utf-8");
        }
    }

    private void prepareHeaders(int status) {
        boolean keepLength = status == NOT_MODIFIED || (isHead() && status != NO_CONTENT);
        ResponseHeaders.prepare(exchange.getResponseHeaders(), last || closes, keepLength);
    }

    private boolean hasBody(int status) {
        return !isHead() && !isWithout(status);
    }

    private static boolean isWithout(int status) {
        return status == NO_CONTENT || status == NOT_MODIFIED;
    }

    private boolean isHead() {
        return exchange.getRequestMethod().equals("HEAD");
    }

    private void sendWithout(int status) throws IOException {
        var piece = deadline.beginWrite();
        try {
            exchange.sendResponseHeaders(status, NO_BODY); // 0 would mean an unknown length
            close();
        } finally {
            deadline.end(piece);
        }
    }

    private void sendWith(int status, byte[] bytes) throws IOException {
        // A small response has one deadline as a whole. In a large one, ResponseBody has one for the head and for each
        // piece.
        var piece = bytes.length <= ResponseBody.PIECE ? deadline.beginWrite() : null;
        try {
            body.sendHead(new Head(exchange, status, bytes.length));
            body.write(bytes);
            if (last) {
                body.flush(); // before the short deadline of the close
            } else {
                close();
            }
        } finally {
            deadline.end(piece);
        }
        if (last) {
            closeLast();
        }
    }

    /** Ends the last exchange of a connection, whose response has been sent. */
    private void closeLast() throws IOException {
        var piece = deadline.beginLinger();
        try {
            close();
        } finally {
            deadline.end(piece);
        }
    }

    /**
     * Ends the exchange. Closes the response first, because the exchange would read the rest of the request before it.
     */
    void close() throws IOException {
        try (exchange) {
            body.close();
        }
    }
}
