package io.fibry.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Sends the response of one exchange. */
final class ReplySender {

    private static final int NO_BODY = -1;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final int OK = 200;
    private static final HttpReply UNAVAILABLE = new HttpReply(503, null, "Service Unavailable");

    /** In seconds. */
    private static final String RETRY_AFTER = "1";

    private final HttpExchange exchange;
    private final ClientDeadline deadline;
    private final ResponseBody body;
    private final int codeAtFirst;
    private boolean last;

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

    /** The reply of an overloaded or stopping server. */
    HttpReply unavailable() {
        exchange.getResponseHeaders().set("Retry-After", RETRY_AFTER);
        return UNAVAILABLE;
    }

    /** Makes the server close the connection after the response. */
    void makeLast() {
        last = true;
    }

    /** Sends a response, after which the server closes the connection. */
    void sendLast(HttpReply reply) throws IOException {
        makeLast();
        send(reply);
    }

    /**
     * Sends the head of a response, for a handler that writes the response itself.
     *
     * @throws IllegalArgumentException if a header is not valid; nothing has been sent then
     */
    void sendHead(int status, long length) throws IOException {
        if (isAnswered()) {
            throw new IOException("the headers of this response have already been sent");
        }
        prepareHeaders();
        body.sendHead(() -> exchange.sendResponseHeaders(status, length));
    }

    /**
     * Sends the response and ends the exchange, which also reads the rest of the request.
     *
     * @throws IllegalArgumentException if a header is not valid; nothing has been sent then
     */
    void send(HttpReply reply) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        setContentType(headers, reply);
        prepareHeaders();
        byte[] bytes = reply.text().getBytes(StandardCharsets.UTF_8);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        boolean none = reply.status() == NO_CONTENT || reply.status() == NOT_MODIFIED;
        if (head && !none) {
            headers.set("Content-Length", Integer.toString(bytes.length));
        }
        if (head || none || bytes.length == 0) {
            sendWithout(reply.status());
        } else {
            sendWith(reply.status(), bytes);
        }
    }

    private static void setContentType(Headers headers, HttpReply reply) {
        if (reply.contentType() != null) {
            headers.set("Content-Type", reply.contentType());
        } else if (reply.status() != OK || headers.isEmpty() || !headers.containsKey("Content-Type")) {
            headers.set("Content-Type", "text/plain; charset=utf-8");
        }
    }

    private void prepareHeaders() {
        Headers headers = exchange.getResponseHeaders();
        if (last) {
            headers.set("Connection", "close");
        }
        headers.forEach((name, values) -> {
            if (!HttpTokens.isToken(name)) {
                throw new IllegalArgumentException("\"" + name + "\" is not a valid name of a header");
            }
            for (String value : values) {
                if (!HttpTokens.isFieldValue(value)) {
                    throw new IllegalArgumentException("the value of the header " + name
                            + " has a line break, another control character, or a character outside ISO 8859-1");
                }
            }
        });
    }

    private void sendWithout(int status) throws IOException {
        var piece = deadline.beginResponse(last);
        try {
            exchange.sendResponseHeaders(status, NO_BODY); // 0 would mean an unknown length
            close();
        } finally {
            deadline.end(piece);
        }
    }

    private void sendWith(int status, byte[] bytes) throws IOException {
        // A small response has one deadline as a whole. In a large one, ResponseBody has a deadline for each piece.
        var piece = bytes.length <= ResponseBody.PIECE ? deadline.beginResponse(last) : null;
        try {
            exchange.sendResponseHeaders(status, bytes.length);
            body.write(bytes);
            close();
        } finally {
            deadline.end(piece);
        }
    }

    /** Ends the exchange. Closes the response first, because the exchange would read the rest of the request before it. */
    void close() throws IOException {
        try (exchange) {
            body.close();
        }
    }
}
