package io.fibry.helidon;

import io.helidon.http.DirectHandler;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Headers;
import io.helidon.http.RequestException;
import io.helidon.http.WritableHeaders;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Writes the values of headers that control a connection in the way that Helidon knows, and refuses a request whose
 * length is ambiguous. Helidon compares whole values
 * with capitals, so it overlooks {@code Connection: Close}, and takes the body of a request with {@code
 * Transfer-Encoding: Chunked} for the next request.
 */
final class Http1Headers implements Http1ConnectionListener {

    private static final List<String> PROTOCOLS = List.of("websocket", "h2c");

    @Override
    public void headers(ConnectionContext context, Headers received) {
        if (received instanceof WritableHeaders<?> headers) {
            checkLength(headers);
            chunked(headers);
            if (contains(headers, HeaderNames.CONNECTION, "close")) {
                headers.set(HeaderValues.CONNECTION_CLOSE);
                endAfterRequest(context);
            }
            if (contains(headers, HeaderNames.EXPECT, "100-continue")) {
                headers.set(HeaderValues.EXPECT_100);
            }
            PROTOCOLS.stream()
                    .filter(protocol -> contains(headers, HeaderNames.UPGRADE, protocol))
                    .findFirst()
                    .ifPresent(protocol -> headers.set(HeaderNames.UPGRADE, protocol));
        }
    }

    /** The same for a response whose handler has set the header, or which is the last one of its connection. */
    static void sent(ConnectionContext context, Headers headers, boolean last) {
        if (last && headers instanceof WritableHeaders<?> response) {
            response.set(HeaderValues.CONNECTION_CLOSE);
        }
        if (headers.contains(HeaderValues.CONNECTION_CLOSE)) {
            endAfterRequest(context);
        }
    }

    private static void endAfterRequest(ConnectionContext context) {
        if (context instanceof ConnectionView view) {
            view.endAfterRequest();
        }
    }

    /** Helidon uses the first of several values, accepts a sign, and reads a negative length as a chunked body. */
    private static void checkLength(WritableHeaders<?> headers) {
        if (headers.contains(HeaderNames.CONTENT_LENGTH)) {
            List<String> lengths = values(headers, HeaderNames.CONTENT_LENGTH).toList();
            if (lengths.size() != 1 || !lengths.getFirst().chars().allMatch(Character::isDigit)) {
                throw ambiguousLength();
            }
        }
    }

    private static void chunked(WritableHeaders<?> headers) {
        if (headers.contains(HeaderNames.TRANSFER_ENCODING)) {
            if (!values(headers, HeaderNames.TRANSFER_ENCODING).toList().equals(List.of("chunked"))
                    || headers.contains(HeaderNames.CONTENT_LENGTH)) {
                throw ambiguousLength();
            }
            headers.set(HeaderValues.TRANSFER_ENCODING_CHUNKED);
        }
    }

    private static RequestException ambiguousLength() {
        return badRequest("The length of the body is ambiguous");
    }

    /** Ends the connection with the status 400: where the next request begins is unknown. */
    static RequestException badRequest(String message) {
        return RequestException.builder()
                .type(DirectHandler.EventType.BAD_REQUEST)
                .message(message)
                .setKeepAlive(false)
                .build();
    }

    /** Whether one of the values of a header is this one, compared without case. */
    static boolean contains(Headers headers, HeaderName name, String value) {
        return headers.contains(name) && values(headers, name).anyMatch(value::equals);
    }

    private static Stream<String> values(Headers headers, HeaderName name) {
        Header header = headers.get(name);
        return header.allValues().stream()
                .flatMap(line -> Arrays.stream(line.split(",")))
                .map(value -> value.strip().toLowerCase(Locale.ROOT))
                .filter(value -> !value.isEmpty());
    }
}
