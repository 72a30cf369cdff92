package io.fibry.helidon;

import io.helidon.common.buffers.DataReader;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The input of an HTTP/1.1 connection on its way to Helidon, which neither limits the lines in a chunked body nor ends
 * the connection after an invalid one: the size of a chunk, and the empty line after the last chunk. Helidon would take
 * what follows an invalid line for the rest of the body, and wait for it. Here, every further read of a line fails too.
 * Helidon limits the lines of a head itself, and does not read them by {@link #readLine}.
 */
final class Http1Input extends DataReader {

    /** A line with as many bytes before its end is refused, and nothing more of it is read. */
    static final int TOO_LONG = 1024;

    private static final Pattern SIZE =
            Pattern.compile("0*[0-7]?\\p{XDigit}{1,7}"); // hexadecimal, and fits into an int
    private static final Pattern ZERO = Pattern.compile("0+");

    private boolean afterLastChunk;
    private boolean invalid;

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
        if (!invalid) {
            String line = line();
            invalid = afterLastChunk ? !line.isEmpty() : !SIZE.matcher(line).matches();
            if (!invalid) {
                afterLastChunk = !afterLastChunk && ZERO.matcher(line).matches();
                return line;
            }
        }
        throw Http1Headers.badRequest("A line in the body is invalid");
    }

    /** An exception leaves the line unread, so that the next call throws too. */
    private String line() {
        try {
            if (findNewLine(TOO_LONG) == TOO_LONG) {
                throw Http1Headers.badRequest("A line in the body is too long");
            }
        } catch (IncorrectNewLineException e) {
            throw Http1Headers.badRequest("A line in the body has an invalid end");
        }
        return super.readLine();
    }
}
