package io.fibry.net.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Client;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** A response as a strict client reads it, with a single definition of its end. The headers are in lower case. */
record Response(int status, List<String> headers, String body) {

    private static final String LENGTH = "content-length:";
    private static final String ENCODING = "transfer-encoding:";

    /** Reads one response, and nothing behind it. */
    static Response read(Client client) throws IOException {
        List<String> lines = Raw.head(client).lines().toList();
        assertTrue(lines.getFirst().startsWith("HTTP/1.1 "), lines.getFirst());
        int status = Integer.parseInt(lines.getFirst().substring(9, 12));
        List<String> headers = lines.stream()
                .skip(1)
                .map(line -> line.toLowerCase(Locale.ROOT))
                .toList();
        return new Response(status, headers, body(client, headers));
    }

    private static String body(Client client, List<String> headers) throws IOException {
        List<String> framing = headers.stream()
                .filter(line -> line.startsWith(LENGTH) || line.startsWith(ENCODING))
                .toList();
        assertEquals(1, framing.size(), () -> "one header tells the end: " + headers);
        String value = framing.getFirst()
                .substring(framing.getFirst().indexOf(':') + 1)
                .strip();
        if (framing.getFirst().startsWith(LENGTH)) {
            return receive(client, Integer.parseInt(value));
        }
        assertEquals("chunked", value);
        return chunks(client);
    }

    private static String chunks(Client client) throws IOException {
        var body = new StringBuilder();
        for (int size = size(client); size > 0; size = size(client)) {
            body.append(receive(client, size));
            assertEquals("\r\n", receive(client, 2));
        }
        assertEquals("\r\n", receive(client, 2));
        return body.toString();
    }

    private static int size(Client client) throws IOException {
        var line = new StringBuilder();
        while (line.indexOf("\r\n") < 0) {
            line.append(receive(client, 1));
        }
        return Integer.parseInt(line.substring(0, line.length() - 2), 16);
    }

    private static String receive(Client client, int bytes) throws IOException {
        String received = client.receive(bytes);
        if (received.length() < bytes) {
            throw new EOFException("after: " + received);
        }
        return received;
    }

    boolean isLast() {
        return headers.contains("connection: close");
    }
}
