package io.fibry.helidon;

import io.helidon.common.buffers.DataReader;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The input of an HTTP/1.1 connection on its way to Helidon. Checks the lines of a chunked body: the size of each
 * chunk, and the empty line at the end. Helidon does not limit their length, and after an invalid line it takes what
 * follows for the rest of the body. Here, every further read of a line fails too. Helidon accepts neither chunk
 * extensions nor trailers, which are removed. It reads the lines of a head by other methods, and limits them itself.
 */
final class Http1Input extends DataReader {

    /** A line with as many bytes before its end is refused. So are trailers with as many bytes in all. */
    static final int TOO_LONG = 1024;

    private static final Pattern SIZE =
            Pattern.compile("0*[0-7]?\\p{XDigit}{1,7}"); // hexadecimal, and fits into an int
    private static final Pattern ZERO = Pattern.compile("0+");
    private static final Pattern EXTENSIONS = Pattern.compile("[ \t]*;.*");
    private static final Pattern TRAILER = Pattern.compile("[^\\s:]+:.*");

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

    /** Called for the size of each chunk, and for the empty line at the end. */
    @Override
    public String readLine() {
        if (invalid) {
            throw Http1Headers.badRequest("A line in the body is invalid");
        }
        invalid = true; // until this call has succeeded
        String line = afterLastChunk ? readEnd() : readSize();
        afterLastChunk = !afterLastChunk && ZERO.matcher(line).matches();
        invalid = false;
        return line;
    }

    /** Reads the size of a chunk, without the extensions, which RFC 9112 §7.1.1 requires to be ignored. */
    private String readSize() {
        String size = EXTENSIONS.matcher(line(TOO_LONG)).replaceFirst("");
        if (!SIZE.matcher(size).matches()) {
            throw Http1Headers.badRequest("The size of a chunk is invalid");
        }
        return size;
    }

    /** Discards the trailers, as RFC 9112 §7.1.2 permits, and reads the empty line after them. */
    private String readEnd() {
        int left = TOO_LONG;
        String line = line(left);
        while (!line.isEmpty()) {
            if (!TRAILER.matcher(line).matches()) {
                throw Http1Headers.badRequest("A trailer of the body is invalid");
            }
            left -= line.length() + 2;
            line = line(left);
        }
        return line;
    }

    private String line(int limit) {
        try {
            if (limit <= 0 || findNewLine(limit) == limit) {
                throw Http1Headers.badRequest("A line in the body is too long");
            }
        } catch (IncorrectNewLineException e) {
            throw Http1Headers.badRequest("A line in the body has an invalid end");
        }
        return super.readLine();
    }
}
