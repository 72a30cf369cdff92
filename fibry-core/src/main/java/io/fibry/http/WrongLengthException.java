package io.fibry.http;

import io.fibry.dispatch.LogText;
import java.io.IOException;
import java.io.Serial;

/**
 * A failure caused by the handler, not by the client: the body that it has written is not as long as it has announced.
 */
final class WrongLengthException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    /** The message continues the sentence "the handler ..". */
    WrongLengthException(String message) {
        super(LogText.plain(message));
    }
}
