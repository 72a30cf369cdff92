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

    /** In seconds: how soon there may be room again. */
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
        exchange.setStreams(exchange.getRequestBody(), body); // Jetty takes a null literally
    }

    /** Whether the handler has sent a response. Not every provider begins with the code -1. */
    boolean isAnswered() {
        return exchange.getResponseCode() != codeAtFirst || body.isUsed();
    }

    /** What a server without room says. */
    HttpReply unavailable() {
        exchange.getResponseHeaders().set("Retry-After", RETRY_AFTER);
        return UNAVAILABLE;
    }

    /** Nothing more is to be read from this connection after the response. */
    void makeLast() {
        last = true;
    }

    /** Sends a response after which nothing more is read from this connection. */
    void sendLast(HttpReply reply) throws IOException {
        makeLast();
        send(reply);
    }

    /**
     * Sends the head of a response for a handler that sends it by itself.
     *
     * @throws IllegalArgumentException if a header cannot be sent; then nothing has been
     */
    void sendHead(int status, long length) throws IOException {
        if (isAnswered()) {
            throw new IOException("the head of this response has been sent already");
        }
        prepareHeaders();
        body.sendHead(() -> exchange.sendResponseHeaders(status, length));
    }

    /**
     * Sends the response and ends the exchange, which also reads what is left of the request.
     *
     * @throws IllegalArgumentException if a header cannot be sent; then nothing has been
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
                throw new IllegalArgumentException("a header cannot have the name \"" + name + "\"");
            }
            for (String value : values) {
                if (!HttpTokens.isFieldValue(value)) {
                    throw new IllegalArgumentException("the value of the header " + name
                            + " has a line break, another control character, or one beyond ISO 8859-1");
                }
            }
        });
    }

    private void sendWithout(int status) throws IOException {
        var piece = deadline.beginResponse(last);
        try {
            exchange.sendResponseHeaders(status, NO_BODY); // a length of 0 would mean one that is not known
            close();
        } finally {
            deadline.end(piece);
        }
    }

    private void sendWith(int status, byte[] bytes) throws IOException {
        // A small response is one piece of waiting; a large one waits for each of its own.
        var piece = bytes.length <= ResponseBody.PIECE ? deadline.beginResponse(last) : null;
        try {
            exchange.sendResponseHeaders(status, bytes.length);
            body.write(bytes);
            close();
        } finally {
            deadline.end(piece);
        }
    }

    /** Ends the exchange. The response goes first, since the exchange itself would first read the rest of the request. */
    void close() throws IOException {
        try (exchange) {
            body.close();
        }
    }
}
