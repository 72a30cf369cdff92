package io.fibry.http;

import java.io.IOException;
import java.io.Serial;

/** Nothing that the handler did wrong: its client is gone, too slow, or sends what is no request. */
final class ClientException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    private final int status;

    /** With the status of the response, if one can still be sent. */
    ClientException(int status, String message, Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    ClientException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
