package io.fibry.http;

import io.fibry.dispatch.LogText;
import java.io.IOException;
import java.io.Serial;

/**
 * A failure caused by the client, not by the handler: it has disconnected, is too slow, or sends an invalid request.
 */
class ClientException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    private final int status;

    /** The status is for the response, if one can still be sent. */
    ClientException(int status, String message, Throwable cause) {
        super(LogText.plain(message), cause);
        this.status = status;
    }

    ClientException(int status, String message) {
        super(LogText.plain(message));
        this.status = status;
    }

    int status() {
        return status;
    }

    /** The response, if one can still be sent. Only the log has the message, which may have text of the request. */
    HttpReply reply() {
        return new HttpReply(
                status,
                null,
                switch (status) {
                    case 400 -> "Bad Request";
                    case 408 -> "Request Timeout: the body did not arrive in time";
                    case 413 -> "Content Too Large";
                    default -> "The request could not be handled";
                });
    }
}
