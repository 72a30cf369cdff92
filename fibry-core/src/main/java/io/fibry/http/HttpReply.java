package io.fibry.http;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A response with its status and content type. Set other headers on the exchange. Immutable.
 *
 * @param status the status, from 200 to 599; with 204 and 304 the text is not sent
 * @param contentType the {@code Content-Type}, or null for the one that the handler has set on the exchange, and plain
 *     text if it has set none
 * @param text the body, which is sent as UTF-8
 */
public record HttpReply(int status, @Nullable String contentType, String text) {

    private static final int INFORMATIONAL = 100;
    private static final int LOWEST = 200;
    private static final int HIGHEST = 599;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the status is out of range
     */
    public HttpReply {
        Objects.requireNonNull(text, "text");
        checkStatus(status);
    }

    /** Throws if this is not the status of a final response, which ends its request. */
    static void checkStatus(int status) {
        if (status < LOWEST || status > HIGHEST) {
            throw new IllegalArgumentException(
                    "the status of a reply must be from " + LOWEST + " to " + HIGHEST + ", not "
                            + status
                            + (status >= INFORMATIONAL && status < LOWEST
                                    ? ": the HTTP server cannot send informational responses"
                                    : ""));
        }
    }

    /** Returns a text with the status 200. */
    public static HttpReply text(String text) {
        return new HttpReply(200, null, text);
    }

    /** Returns JSON with the status 200. */
    public static HttpReply json(String json) {
        return new HttpReply(200, "application/json", json);
    }

    /** Returns the same response with another status. */
    public HttpReply withStatus(int other) {
        return new HttpReply(other, contentType, text);
    }
}
