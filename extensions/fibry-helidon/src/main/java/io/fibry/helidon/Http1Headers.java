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
 * Ends a connection after a request or a response with {@code Connection: close}, where Helidon waits for a further
 * request, and refuses a {@code Transfer-Encoding} other than {@code chunked}. Helidon compares the whole value of an
 * {@code Upgrade}, so this writes the name of a protocol in the way that Helidon knows.
 */
final class Http1Headers implements Http1ConnectionListener {

    private static final List<String> PROTOCOLS = List.of("websocket", "h2c");

    @Override
    public void headers(ConnectionContext context, Headers received) {
        if (received instanceof WritableHeaders<?> headers) {
            checkEncoding(headers);
            if (contains(headers, HeaderNames.CONNECTION, "close")) {
                endAfterRequest(context);
            }
            PROTOCOLS.stream()
                    .filter(protocol -> contains(headers, HeaderNames.UPGRADE, protocol))
                    .findFirst()
                    .ifPresent(protocol -> headers.set(HeaderNames.UPGRADE, protocol));
        }
    }

    /** Ends the connection after a response whose handler has set the header, or which is its last one. */
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

    /** Helidon would answer some of these values with the status 501. */
    private static void checkEncoding(Headers headers) {
        if (headers.contains(HeaderNames.TRANSFER_ENCODING)
                && !values(headers, HeaderNames.TRANSFER_ENCODING).toList().equals(List.of("chunked"))) {
            throw badRequest("The length of the body is ambiguous");
        }
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
