package io.fibry.helidon;

import io.helidon.http.Header;
import io.helidon.http.HeaderValues;
import io.helidon.http.WritableHeaders;
import io.helidon.webserver.http.ServerResponse;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps large headers of a response out of the table of compressed headers. For a header that is larger than this
 * table, Helidon evicts entries forever, and lets all other threads that write to the connection wait. It adds no
 * header that is {@linkplain Header#changing() changing}, and sends it as it is.
 *
 * <p>Headers that the program adds after this check are not checked: by its own listeners of {@code beforeSend} and
 * {@code beforeTrailers}, or to {@code headers()} after {@code outputStream()}.
 */
final class HpackOutput {

    private static final int TABLE_BYTES = 4 * 1024; // of Helidon, whatever the client allows
    private static final int ENTRY_BYTES = 32; // more than those of the name and the value, as of RFC 7541 §4.1

    private HpackOutput() {}

    /** Checks the headers and trailers of a response when they are sent. */
    static void guard(ServerResponse response) {
        response.beforeSend(() -> replaceLarge(response.headers()));
        response.beforeTrailers(HpackOutput::replaceLarge);
    }

    private static void replaceLarge(WritableHeaders<?> headers) {
        List<Header> large = new ArrayList<>(0);
        for (Header header : headers) {
            if (!header.changing() && size(header) > TABLE_BYTES) {
                large.add(header);
            }
        }
        for (Header header : large) {
            String[] values = header.allValues().toArray(String[]::new);
            headers.set(HeaderValues.create(header.headerName(), true, header.sensitive(), values));
        }
    }

    /** The size of an entry with all values, which Helidon separates by a comma and a space. */
    private static int size(Header header) {
        int values = header.valueCount() == 1
                ? header.get().length()
                : header.values().length();
        return header.name().length() + values + ENTRY_BYTES;
    }
}
