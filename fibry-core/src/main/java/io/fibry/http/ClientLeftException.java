package io.fibry.http;

import java.io.Serial;

/** The client has left an event stream: the usual end of one, and no reason for a line in the log. */
final class ClientLeftException extends ClientException {

    @Serial
    private static final long serialVersionUID = 1;

    ClientLeftException(Throwable cause) {
        super(503, "the client has left the event stream", cause);
    }
}
