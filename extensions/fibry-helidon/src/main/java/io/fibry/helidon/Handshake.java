package io.fibry.helidon;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.http.Method;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.websocket.WsUpgrader;
import java.util.Base64;
import java.util.List;

/** The checks of a request for a WebSocket, RFC 6455 §4.2.1. */
final class Handshake {

    private static final String VERSION = "13";
    private static final int KEY_BYTES = 16;

    private Handshake() {}

    /** @throws RequestException with the status 400, or 426 with the version that the server speaks */
    static void check(HttpPrologue prologue, Headers headers) {
        if (!prologue.method().equals(Method.GET)) {
            throw refused(Status.BAD_REQUEST_400, "The method is not GET").build();
        }
        if (!Http1Headers.contains(headers, HeaderNames.CONNECTION, "upgrade")) {
            throw refused(Status.BAD_REQUEST_400, "Connection has no value Upgrade")
                    .build();
        }
        if (!headers.all(WsUpgrader.WS_VERSION, List::of).equals(List.of(VERSION))) {
            throw refused(Status.create(426, "Upgrade Required"), "Unsupported version")
                    .header(HeaderValues.create(WsUpgrader.WS_VERSION, VERSION))
                    .header(HeaderValues.create(HeaderNames.UPGRADE, "websocket"))
                    .build();
        }
        List<String> keys = headers.all(WsUpgrader.WS_KEY, List::of);
        if (keys.size() != 1 || !isKey(keys.getFirst())) {
            throw refused(Status.BAD_REQUEST_400, "Sec-WebSocket-Key is not 16 bytes in base64")
                    .build();
        }
    }

    private static RequestException.Builder refused(Status status, String why) {
        return RequestException.builder()
                .type(DirectHandler.EventType.BAD_REQUEST)
                .status(status)
                .message(why);
    }

    private static boolean isKey(String key) {
        try {
            return Base64.getDecoder().decode(key).length == KEY_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
