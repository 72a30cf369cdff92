package io.fibry.helidon;

import io.helidon.common.buffers.DataReader;
import io.helidon.http.DirectHandler;
import io.helidon.http.RequestException;
import org.jspecify.annotations.Nullable;

/**
 * The input of an HTTP/1.1 connection on its way to Helidon, which does not limit the lines in a chunked body: the size
 * of a chunk, and a trailer. Helidon limits the lines of a head itself.
 */
final class Http1Input extends DataReader {

    /** A line with as many bytes before its end is refused, and nothing more of it is read. */
    static final int TOO_LONG = 1024;

    @SuppressWarnings("removal") // no other constructor allows a subclass
    Http1Input(DataReader in) {
        super(() -> next(in));
    }

    private static byte @Nullable [] next(DataReader in) {
        try {
            in.ensureAvailable();
            return in.readBytes(in.available());
        } catch (InsufficientDataAvailableException e) {
            return null;
        }
    }

    @Override
    public String readLine() {
        if (findNewLine(TOO_LONG) == TOO_LONG) {
            throw RequestException.builder()
                    .type(DirectHandler.EventType.BAD_REQUEST)
                    .message("A line in the body is too long")
                    .setKeepAlive(false)
                    .build();
        }
        return super.readLine();
    }
}
